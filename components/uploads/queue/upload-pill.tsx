'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { resumeUploads } from './queue';
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
// A default export, as `lazy` asks for one.
// biome-ignore lint/style/noDefaultExport: see above
export default function UploadPill({ userId }: { userId: string }) {
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
    <aside
      aria-label="Uploads"
      className="fixed right-4 bottom-[calc(88px+env(safe-area-inset-bottom))] z-20 sm:bottom-5"
    >
      <Link
        href="/upload"
        className="inline-flex min-h-11 max-w-[calc(100vw-32px)] items-center rounded-pill border border-line bg-surface px-4 text-14 font-semibold text-ink no-underline tabular-nums shadow-lg hover:bg-sunken"
      >
        {queueSummary(uploads)}
      </Link>
      <p role="status" className="sr-only">
        {problemOf(uploads)}
      </p>
    </aside>
  );
}
