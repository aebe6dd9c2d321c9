import type { StoredWord } from '@/db/schema/entries';
import type { Word } from '@/lib/transcripts/contract';
import { readDate } from './calendar';
import type { Entry, EntrySummary } from './contract';
import type { DetailRow, SummaryRow } from './queries';

/** The small engine of the local cloud mishears about every third word, and its transcripts say so. */
const ROUGH_ENGINE = 'pocketsphinx';

/** Words as the wire has them. */
export const presentWords = (words: readonly StoredWord[]): Word[] =>
  words.map(([word, start_time, end_time, confidence]) => ({
    ...{ word, start_time, end_time },
    ...(confidence !== undefined && { confidence }),
  }));

function statusOf(row: Pick<SummaryRow, 'videoKey' | 'videoStatus'>): EntrySummary['status'] {
  if (row.videoKey) return 'completed';
  return row.videoStatus === 'failed' ? 'failed' : 'processing';
}

/** A row of the list as the wire has it. */
export function presentSummary(row: SummaryRow): EntrySummary {
  return {
    id: row.id,
    title: row.title,
    createdAt: row.createdAt.toISOString(),
    thumbnail: row.thumbnailKey ? `/api/v1/entry/${row.id}/thumbnail` : '',
    date: readDate(row.date),
    status: statusOf(row),
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    heldByPlan: row.heldByPlan,
    tags: row.tags,
  };
}

/** A whole entry as the wire has it. */
export function presentEntry(row: DetailRow): Entry {
  // The address changes with what is behind it, so that a player never mixes a first copy with the final one.
  const version = row.videoKey?.split('/').at(-1);
  return {
    ...presentSummary(row),
    videoUrl: version ? `/api/v1/entry/${row.id}/video?v=${version}` : '',
    videoStatus: row.videoStatus,
    videoError: row.videoError,
    notes: row.notes,
    transcription: {
      words: presentWords(row.transcript?.words ?? []),
      status: row.transcriptStatus,
      language: row.language,
      error: row.transcriptError,
      revision: row.transcript?.revision ?? null,
      draft: row.transcript?.engine === ROUGH_ENGINE,
    },
  };
}
