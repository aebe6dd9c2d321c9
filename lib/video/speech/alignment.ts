import type { Decoder } from 'soundswallower';
import { guessPhones } from './pronunciation';
import { spokenForm } from './spoken-form';
import { SAMPLE_RATE } from './types';

/** When a word was said. Seconds from the start of the samples. */
interface WordTimes {
  start: number;
  end: number;
}

/**
 * Finds when each of these words was said, in order. Words that nobody can say, such as a lone dash, and all of them if
 * the aligner doesn't hear these words in the samples, share the time between their neighbors evenly.
 */
export function alignWords(aligner: Decoder, samples: Float32Array, words: readonly string[]): WordTimes[] {
  const spoken = words.map((word) => spokenForm(word).flatMap((part) => entriesOf(aligner, part)));
  const heard = align(aligner, samples, spoken.flat());
  const times: (WordTimes | null)[] = [];
  let next = 0;
  for (const { length } of spoken) {
    const [first, last] = [heard?.[next], heard?.[next + length - 1]];
    times.push(length > 0 && first && last ? { start: first.start, end: last.end } : null);
    next += length;
  }
  return fillGaps(times, samples.length / SAMPLE_RATE);
}

/** Returns the dictionary's entries for a spoken word, after adding one if it isn't known. */
function entriesOf(aligner: Decoder, spoken: string): string[] {
  if (aligner.lookup_word(spoken) !== null) return [spoken];
  const phones = guessPhones(spoken);
  if (phones === null) return Array.from(spoken.replace(/[^a-z]/g, ''));
  try {
    aligner.add_words([spoken, phones]);
  } catch {
    // Its own message has the word in it, and errors carry no text of the journal.
    throw new Error('SoundSwallower refused a pronunciation');
  }
  return [spoken];
}

/** Returns the times of these entries of the dictionary, or null if they weren't all heard. */
function align(aligner: Decoder, samples: Float32Array, entries: readonly string[]): WordTimes[] | null {
  if (entries.length === 0) return null;
  aligner.set_align_text(entries.join(' '));
  aligner.start();
  aligner.process_audio(samples, false, true);
  aligner.stop();
  // Pauses and noises have names in brackets.
  const heard = (aligner.get_alignment().w ?? []).filter(({ t }) => /^[a-z']/.test(t));
  return heard.length === entries.length ? heard.map(({ b, d }) => ({ start: b, end: b + d })) : null;
}

/** Divides the time between two words evenly among those without any. */
function fillGaps(times: readonly (WordTimes | null)[], duration: number): WordTimes[] {
  return times.map((known, index) => {
    if (known) return known;
    const before = times.findLastIndex((time, other) => other < index && time !== null);
    const found = times.findIndex((time, other) => other > index && time !== null);
    const after = found < 0 ? times.length : found;
    const start = times[before]?.end ?? 0;
    const share = Math.max(0, (times[after]?.start ?? duration) - start) / (after - before - 1);
    const place = index - before - 1;
    return { start: start + place * share, end: start + (place + 1) * share };
  });
}
