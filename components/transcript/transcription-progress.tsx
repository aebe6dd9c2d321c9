import { useEffect, useState } from 'react';
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

/** Says below a draft that the server isn't done with it. @param progress from 0 to 1 */
export function DraftProgress({ progress }: { progress: number }) {
  return (
    <p className="flex shrink-0 justify-between gap-4 border-t border-line px-5 py-3 text-14 text-ink-2 tabular-nums">
      These words may still change. <span>{percentText(progress)}</span>
    </p>
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
