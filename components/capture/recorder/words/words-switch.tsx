import { useId } from 'react';
import type { Camera } from '@/components/capture/recorder/recorder-state';
import { ProgressBar } from '@/components/ui/progress-bar';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { WordsProblem as WordsProblemName } from '@/lib/video/speech/live-messages';
import { type StudioWords, useWordsState } from './use-live-words';
import { wordsKey, wordsProblemText } from './words-state';

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
function useWordsProblem(words: StudioWords): WordsProblemName | null {
  const { problem } = useWordsState(words.live);
  return words.wanted ? (words.failed ? 'download' : problem) : null;
}

/** Says while recording why there are no words. */
export function WordsProblem({ words }: { words: StudioWords }) {
  const problem = useWordsProblem(words);
  return (
    <p role="status" className="rounded-12 bg-black/65 px-4 py-3 text-15 text-white empty:absolute empty:p-0">
      {problem && wordsProblemText(problem)}
    </p>
  );
}

/**
 * Switches words on and off, after it has said what that takes.
 * @param bytes that are downloaded once
 */
export function WordsSwitch({ words, bytes, camera }: { words: StudioWords; bytes: number; camera: Camera }) {
  const id = useId();
  const { loading, heard } = useWordsState(words.live);
  const isTooLate = camera.phase === 'recording' && !heard.has(wordsKey(camera.id));
  const shown = useWordsProblem(words);
  const isReady = words.wanted && !shown && words.live !== null && loading === null;
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-1.5">
      <label htmlFor={id} className="flex min-h-11 items-center justify-center gap-3 text-15">
        <input
          id={id}
          type="checkbox"
          className="size-5 accent-(--accent)"
          checked={words.wanted}
          aria-describedby={`${id}-about`}
          onChange={({ target }) => words.setWanted(target.checked)}
        />
        Show words as I speak
      </label>
      {words.wanted && !shown && !isReady && (
        <LoadingProgress loaded={loading?.loaded ?? 0} total={loading?.total || bytes} />
      )}
      <p id={`${id}-about`} role="status" className="text-center text-14 text-balance text-ink-2">
        {words.wanted && shown && wordsProblemText(shown)}
        {isReady && (isTooLate ? 'Starts with your next recording.' : 'Ready. English only.')}
        {!words.wanted &&
          `English only. Downloads ${Math.round(bytes / 1e6)} MB once. Your words are recognized on this device and sent only when you upload.`}
      </p>
    </div>
  );
}
