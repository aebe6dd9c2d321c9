import { useId, useMemo } from 'react';
import type { Recording, RecoveredRecording } from '@/components/capture/recorder/recorder-state';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { captionsProblemText } from './captions-state';
import { type StudioCaptions, useCaptionsState, useHeardWords } from './use-live-captions';

/** Shows the last lines of what's being said, over the lower part of the picture. Newer words may still change. */
export function Captions({
  captions: { live, wanted },
  className = '',
}: {
  captions: StudioCaptions;
  className: string | undefined;
}) {
  const { captions } = useCaptionsState(live);
  if (!wanted || !(captions.settled || captions.open)) return null;
  // The last word is marked.
  const lastAt = captions.open.trimEnd().lastIndexOf(' ') + 1;
  return (
    <section
      aria-label="Words as you speak"
      // Read aloud, they would talk over the user.
      aria-live="off"
      className={`pointer-events-none ${className}`}
    >
      <p className="mx-auto flex max-h-[3lh] max-w-[920px] flex-col justify-end overflow-hidden font-serif text-[clamp(22px,1rem+1.6vw,36px)] leading-[1.36] text-white text-shadow-md">
        <span>
          <span className="text-white/80">{captions.settled}</span> {captions.open.slice(0, lastAt)}
          <span className="decoration-[oklch(0.8_0.13_85)] decoration-3 underline-offset-4 [text-decoration-line:underline]">
            {captions.open.slice(lastAt)}
          </span>
        </span>
      </p>
    </section>
  );
}

/** Returns why there are no words, although they're switched on; null if that's not so. */
function useCaptionsProblem({ live, wanted, failed }: StudioCaptions): string | null {
  const state = useCaptionsState(live);
  const problem = failed ? 'download' : state.problem;
  return wanted && problem ? captionsProblemText(problem) : null;
}

/** Says while recording why there are no words. */
export function CaptionsProblem({ captions }: { captions: StudioCaptions }) {
  const problem = useCaptionsProblem(captions);
  return (
    <p role="status" className="rounded-12 bg-black/65 px-4 py-3 text-15 text-white empty:absolute empty:p-0">
      {problem}
    </p>
  );
}

/**
 * Switches words on and off, after it has said what that takes.
 * @param bytes that are downloaded once
 */
export function CaptionsSwitch({ captions, bytes }: { captions: StudioCaptions; bytes: number }) {
  const id = useId();
  const { loading } = useCaptionsState(captions.live);
  const [loaded, total] = [loading?.loaded ?? 0, loading?.total || bytes];
  const problem = useCaptionsProblem(captions);
  const isReady = captions.wanted && !problem && captions.live !== null && loading === null;
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
      {captions.wanted && !problem && !isReady && (
        <div className="flex flex-col gap-1.5">
          <ProgressBar label="Download" value={loaded} max={total} />
          <p className="text-14 text-ink-2 tabular-nums">
            {loaded === total
              ? 'Getting ready…'
              : `Downloading… ${formatBytes(loaded)} of ${formatBytes(total)}`}
          </p>
        </div>
      )}
      <p id={`${id}-about`} role="status" className="text-center text-14 text-balance text-ink-2">
        {[
          problem,
          isReady && 'Ready. English only.',
          !captions.wanted &&
            `English only. Downloads ${Math.round(bytes / 1e6)} MB once. Your words are recognized on this device and sent only when you upload.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </div>
  );
}

/** Shows the words of a recording. */
export function RecordingTranscript({
  captions,
  recording,
}: {
  captions: StudioCaptions;
  recording: Recording | RecoveredRecording;
}) {
  const heard = useHeardWords(captions, recording);
  const text = useMemo(() => heard?.draft?.words.map(({ word }) => word).join(' '), [heard]);
  if (!heard || (heard.done && !text)) return null;
  return (
    <section
      aria-label="Your words"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-8"
    >
      {text && (
        <p dir="auto" className="max-w-prose font-serif text-[18px] leading-[1.72]">
          {text}
        </p>
      )}
      <p role="status" className="text-14 text-ink-2">
        {heard.done ? 'You can correct these words after you upload.' : 'Writing down your last words…'}
      </p>
    </section>
  );
}
