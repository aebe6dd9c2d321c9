import { useEffect, useState } from 'react';
import { RetryJob } from '@/components/journal/entries/retry-job';
import { ProgressBar } from '@/components/ui/progress-bar';

/** Returns a share from 0 to 1 as text; '' as long as nothing is known. */
const percentText = (progress: number): string => {
  const percent = Math.floor(progress * 100);
  return percent > 0 ? `${percent}%` : '';
};

/** Says that there are no words yet, and how far the server is. Its height stays the same. @param progress from 0 to 1 */
export function TranscriptionProgress({ progress }: { progress: number }) {
  return (
    <div className="flex flex-col gap-4 p-5 text-15 text-ink-2">
      <p role="status">Transcription is still processing... Try again in a few moments</p>
      <div className="flex flex-col gap-2">
        <p className="flex justify-between text-14 tabular-nums">
          Transcribing… <span>{percentText(progress)}</span>
        </p>
        <ProgressBar label="Transcription" value={Math.floor(progress * 100)} max={100} />
      </div>
    </div>
  );
}

/**
 * Says below a draft what becomes of it: the server is still at work, or couldn't replace it.
 * @param progress from 0 to 1; undefined if the server isn't at work
 */
export function DraftNotice({ entryId, progress }: { entryId: string; progress: number | undefined }) {
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line py-3 text-14 text-ink-2 sm:px-5">
      {progress === undefined ? (
        <>
          <p>We couldn’t transcribe this video. These are the words your browser heard.</p>
          <RetryJob job="transcript" entryId={entryId} />
        </>
      ) : (
        <>
          <p>These words may still change.</p>
          <span className="tabular-nums">{percentText(progress)}</span>
        </>
      )}
    </div>
  );
}

/**
 * Tells a screen reader when a transcription has ended that was under way on this page. How far it is isn't announced:
 * a person can read that whenever they want to.
 * @param outcome what to say then
 */
export function EndAnnouncement({ processing, outcome }: { processing: boolean; outcome: string }) {
  const [hasWaited, setHasWaited] = useState(processing);
  useEffect(() => {
    if (processing) setHasWaited(true);
  }, [processing]);
  return (
    <p role="status" className="sr-only">
      {hasWaited && !processing ? outcome : ''}
    </p>
  );
}
