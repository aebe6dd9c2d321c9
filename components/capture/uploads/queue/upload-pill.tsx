'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { CornerLink } from '@/components/ui/corner-link';
import { resumeUploads } from './interrupted-uploads';
import { isActiveUpload, type QueuedUpload, useQueueVisible, useUploads } from './upload-queue-store';

const problemOf = (uploads: readonly QueuedUpload[]): string | undefined =>
  uploads.find(({ problem }) => problem)?.problem?.summary;

function queueSummary(uploads: readonly QueuedUpload[]): string {
  const left = uploads.filter(isActiveUpload);
  if (left.length === 0) return problemOf(uploads) ?? 'An upload needs your attention';
  const problem = problemOf(left);
  if (problem) return problem;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const total = sum(left.map((upload) => upload.total));
  const percent = total > 0 ? Math.floor((sum(left.map(({ sent }) => sent)) / total) * 100) : 0;
  return left.length > 1 ? `Uploading ${left.length} videos · ${percent}%` : `Uploading · ${percent}%`;
}

/** Shows the uploads' progress in a corner link on pages that don't show the whole queue. */
export function UploadPill({ userId }: { userId: string }) {
  const router = useRouter();
  const uploads = useUploads();
  const inFull = useQueueVisible();
  const done = uploads.filter(({ phase }) => phase === 'done').length;
  useEffect(() => void resumeUploads(userId), [userId]);
  useEffect(() => {
    // Lists of entries have a new one now.
    if (done > 0 && !inFull) router.refresh();
  }, [done, inFull, router]);
  if (inFull || uploads.length === done) return null;
  return (
    <CornerLink label="Uploads" href="/upload" problem={problemOf(uploads)}>
      {queueSummary(uploads)}
    </CornerLink>
  );
}
