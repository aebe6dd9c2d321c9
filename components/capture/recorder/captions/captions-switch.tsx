import { useId } from 'react';
import type { Camera } from '@/components/capture/recorder/recorder-state';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { WordsProblem } from '@/lib/video/speech/live-messages';
import { captionsProblemText, recordingKey } from './captions-state';
import { type StudioCaptions, useCaptionsState } from './use-live-captions';

/** Shows how much of the engine is here. */
function LoadingProgress({ loaded, total }: { loaded: number; total: number }) {
  const isHere = loaded === total;
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar label="Download" value={loaded} max={total} />
      <p className="text-14 text-ink-2 tabular-nums">
        {isHere ? 'Getting ready…' : `Downloading… ${formatBytes(loaded)} of ${formatBytes(total)}`}
      </p>
    </div>
  );
}

/** Returns why there are no words, although they're switched on; null if that's not so. */
function useCaptionsProblem(captions: StudioCaptions): WordsProblem | null {
  const { problem } = useCaptionsState(captions.live);
  return captions.wanted ? (captions.failed ? 'download' : problem) : null;
}

/** Says while recording why there are no words. */
export function CaptionsProblem({ captions }: { captions: StudioCaptions }) {
  const problem = useCaptionsProblem(captions);
  return (
    <p role="status" className="rounded-12 bg-black/65 px-4 py-3 text-15 text-white empty:absolute empty:p-0">
      {problem && captionsProblemText(problem)}
    </p>
  );
}

/**
 * Switches words on and off, after it has said what that takes.
 * @param bytes that are downloaded once
 */
export function CaptionsSwitch({
  captions,
  bytes,
  camera,
}: {
  captions: StudioCaptions;
  bytes: number;
  camera: Camera;
}) {
  const id = useId();
  const { loading, heard } = useCaptionsState(captions.live);
  const isTooLate = camera.phase === 'recording' && !heard.has(recordingKey(camera.id));
  const shown = useCaptionsProblem(captions);
  const isReady = captions.wanted && !shown && captions.live !== null && loading === null;
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-1.5">
      <label htmlFor={id} className="flex min-h-11 items-center justify-center gap-3 text-15">
        <input
          id={id}
          type="checkbox"
          className="size-5 accent-(--accent)"
          checked={captions.wanted}
          aria-describedby={`${id}-about`}
          onChange={({ target }) => captions.setWanted(target.checked)}
        />
        Show words as I speak
      </label>
      {captions.wanted && !shown && !isReady && (
        <LoadingProgress loaded={loading?.loaded ?? 0} total={loading?.total || bytes} />
      )}
      <p id={`${id}-about`} role="status" className="text-center text-14 text-balance text-ink-2">
        {captions.wanted && shown && captionsProblemText(shown)}
        {isReady && (isTooLate ? 'Starts with your next recording.' : 'Ready. English only.')}
        {!captions.wanted &&
          `English only. Downloads ${Math.round(bytes / 1e6)} MB once. Your words are recognized on this device and sent only when you upload.`}
      </p>
    </div>
  );
}
