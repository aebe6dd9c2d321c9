import { useMemo } from 'react';
import type { Recording, RecoveredRecording } from '@/components/capture/recorder/recorder-state';
import { type HeardWords, recordingKey } from './captions-state';
import { type StudioCaptions, useCaptionsState } from './use-live-captions';

/** Returns what was heard in a recording, if words are switched on or were saved with it. */
function useHeard(
  { live, wanted }: StudioCaptions,
  recording: Recording | RecoveredRecording,
): HeardWords | null {
  const { heard } = useCaptionsState(live);
  if ('words' in recording) return recording.words && { draft: recording.words.draft, done: true };
  return (wanted && heard.get(recordingKey(recording.id))) || null;
}

/** Shows the words of a recording. */
export function RecordingTranscript({
  captions,
  recording,
}: {
  captions: StudioCaptions;
  recording: Recording | RecoveredRecording;
}) {
  const heard = useHeard(captions, recording);
  const text = useMemo(() => heard?.draft?.words.map(({ word }) => word).join(' '), [heard]);
  if (!heard || (heard.done && !text)) return null;
  return (
    <section
      aria-label="Your words"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-8"
    >
      {text && <p className="max-w-prose font-serif text-[18px] leading-[1.72]">{text}</p>}
      <p role="status" className="text-14 text-ink-2">
        {heard.done ? 'You can correct these words after you upload.' : 'Writing down your last words…'}
      </p>
    </section>
  );
}
