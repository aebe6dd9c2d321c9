import type { EntrySummary } from '@/lib/journal/entries/contract';

/** Returns whether what lists show of an entry changes soon: one that plays before its job has run has no picture yet. */
export const isUnfinished = ({
  status,
  thumbnail,
  videoStatus,
}: Pick<EntrySummary, 'status' | 'thumbnail' | 'videoStatus'>): boolean =>
  status === 'processing' ||
  (thumbnail === '' && (videoStatus === 'uploaded' || videoStatus === 'processing'));
