import { useEffect, useEffectEvent } from 'react';
import { recordingKey } from './captions/captions-state';
import { type StudioCaptions, useCaptionsState } from './captions/use-live-captions';
import type { Recording, RecoveredRecording } from './recorder-state';

/** The parts of a day, by the hour before which they end. */
const DAY_PARTS = [
  [5, 'night'],
  [12, 'morning'],
  [17, 'afternoon'],
  [22, 'evening'],
  [24, 'night'],
] as const;

/** Returns a title for a recording that nobody named, such as `Wednesday morning`, in the local time zone. */
export function titleOfTime(time: Date): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long' }).format(time);
  const part = DAY_PARTS.find(([before]) => time.getHours() < before)?.[1];
  return `${weekday} ${part}`;
}

/**
 * Suggests a title for a recording: from its words, or else its time.
 * @param suggest fills it in, unless something was typed
 * @returns the title that was made from words; null if there's none
 */
export function useSuggestedTitle(
  { live, wanted }: StudioCaptions,
  recording: Recording | RecoveredRecording | null,
  suggest: (values: { title: string }) => void,
): string | null {
  const { heard } = useCaptionsState(live);
  const saved = recording && 'words' in recording ? recording.words : null;
  const words = wanted && recording ? heard.get(recordingKey(recording.id)) : undefined;
  const fromWords = (saved ?? words)?.draft?.title || null;
  const isPending = words !== undefined && !words.done;
  const fill = useEffectEvent((title: string) => suggest({ title }));
  useEffect(() => {
    if (recording && !(isPending && !fromWords)) fill(fromWords ?? titleOfTime(new Date()));
  }, [recording, fromWords, isPending]);
  // The next recording isn't called that.
  useEffect(() => (recording ? () => fill('') : undefined), [recording]);
  return fromWords;
}
