import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Loading } from '@/components/ui/loading';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { Revision, Transcription } from '@/lib/journal/transcripts/contract';

const dateTimeFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

const revisionName = (revision: number) =>
  revision === 0 ? 'Original transcript' : `Correction ${revision}`;

/** Returns whether versions between these, or before the first of them, were deleted. The newest comes first. */
const areMissing = (revisions: readonly Revision[]) =>
  revisions.some(({ revision }, index) => revision > (revisions[index + 1]?.revision ?? 0) + 1);

/** Lists every version of a transcript, to read or restore. */
export function TranscriptHistory({
  entryId,
  onRestored,
}: {
  entryId: string;
  onRestored: (current: Transcription) => void;
}) {
  const [revisions, setRevisions] = useState<Revision[] | null>(null);
  const [read, setRead] = useState<{ revision: number; text: string } | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const gone = new AbortController();
    call('GET /entry/:id/transcription/revisions', { params: { id: entryId }, signal: gone.signal })
      .then(setRevisions)
      .catch((error: unknown) => gone.signal.aborted || showError(error));
    return () => gone.abort();
  }, [entryId]);

  async function show(revision: number) {
    if (read?.revision === revision) return setRead(null);
    try {
      const { words } = await call('GET /entry/:id/transcription/revisions/:revision', {
        params: { id: entryId, revision },
      });
      setRead({ revision, text: words.map(({ word }) => word).join(' ') });
    } catch (error) {
      showError(error);
    }
  }

  async function restore(revision: number) {
    setBusy(true);
    try {
      const answer = await call('POST /entry/:id/transcription/revisions/:revision/restore', {
        params: { id: entryId, revision },
      });
      onRestored(answer.transcription);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  }

  if (!revisions) return <Loading />;
  return (
    <div className="flex max-h-[60dvh] flex-col gap-3 overflow-y-auto">
      {areMissing(revisions) && (
        <p className="text-14 text-ink-3">Older versions were removed to free up space.</p>
      )}
      <ol className="flex flex-col gap-3">
        {revisions.map(({ revision, createdAt, words }, index) => (
          <li key={revision} className="rounded-12 border border-line p-4">
            <h3 className="text-15 font-semibold">
              <span>{revisionName(revision)}</span>
              {index === 0 && <span className="font-normal text-ink-3"> (current)</span>}
            </h3>
            <p className="text-14 text-ink-3">
              <time dateTime={createdAt}>{dateTimeFormat.format(new Date(createdAt))}</time>, {words}{' '}
              {words === 1 ? 'word' : 'words'}
            </p>
            {read?.revision === revision && (
              <p dir="auto" className="mt-3 font-serif leading-7">
                {read.text}
              </p>
            )}
            <div className="mt-3 flex flex-wrap gap-2">
              <Button
                size="sm"
                variant="secondary"
                aria-expanded={read?.revision === revision}
                onClick={() => void show(revision)}
              >
                Read<span className="sr-only"> {revisionName(revision)}</span>
              </Button>
              {index > 0 && (
                <Button size="sm" busy={busy} onClick={() => void restore(revision)}>
                  Restore<span className="sr-only"> {revisionName(revision)}</span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
