import { useEffect, useEffectEvent } from 'react';
import { type StudioCaptions, useHeardWords } from './captions/use-live-captions';
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
  captions: StudioCaptions,
  recording: Recording | RecoveredRecording | null,
  suggest: (values: { title: string }) => void,
): string | null {
  const heard = useHeardWords(captions, recording);
  const fromWords = heard?.draft?.title || null;
  const isPending = heard !== null && !heard.done;
  const fill = useEffectEvent((title: string) => suggest({ title }));
  useEffect(() => {
    if (recording && !(isPending && !fromWords)) fill(fromWords ?? titleOfTime(new Date()));
  }, [recording, fromWords, isPending]);
  // The next recording isn't called that.
  useEffect(() => (recording ? () => fill('') : undefined), [recording]);
  return fromWords;
}
