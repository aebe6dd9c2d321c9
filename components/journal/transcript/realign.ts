import type { Word } from '@/lib/journal/transcripts/contract';
import { matchTokens } from '@/lib/journal/transcripts/shared/match-tokens';

/** The longest a new word lasts when there's a pause to fit it in, in seconds. */
const NEW_WORD_SECONDS = 0.4;

const tokenize = (text: string) => text.split(/\s+/).filter(Boolean);

const roundToMs = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** A gap between unchanged words. */
interface Gap {
  /** The unchanged words on either side, if any. */
  before: Word | undefined;
  after: Word | undefined;
  gone: readonly Word[];
}

/**
 * Returns times for `count` new words in a gap: those of the words they replace if the counts match, else an even
 * spread over the replaced words or the pause. Times stay inside the gap; without a pause, words last 0 s.
 */
function spreadTimes({ before, after, gone }: Gap, count: number, duration: number): [number, number][] {
  const ceiling = after?.start_time ?? Math.max(duration, before?.end_time ?? 0);
  const floor = Math.min(before?.end_time ?? 0, ceiling);
  const within = (seconds: number) => Math.min(Math.max(seconds, floor), ceiling);
  if (gone.length === count) {
    return gone.map(({ start_time, end_time }) => [within(start_time), within(end_time)]);
  }
  const room = NEW_WORD_SECONDS * count;
  const first = gone[0];
  const last = gone.at(-1);
  const start = first ? within(first.start_time) : before ? floor : Math.max(floor, ceiling - room);
  const end = last ? Math.max(start, within(last.end_time)) : Math.min(start + room, ceiling);
  const at = (index: number) => within(roundToMs(start + ((end - start) * index) / count));
  return Array.from({ length: count }, (_, index) => [at(index), at(index + 1)]);
}

/** Splits words into tokens, and returns where each word's tokens end. A word is one token unless it contains a space. */
function tokenizeWords(words: readonly Word[]): { tokens: string[]; ends: number[] } {
  const tokens: string[] = [];
  const ends = words.map(({ word }) => {
    for (const token of tokenize(word)) tokens.push(token);
    return tokens.length;
  });
  return { tokens, ends };
}

/**
 * Aligns corrected text with timed words. Unchanged words stay the same objects, new ones get times between their
 * neighbors, and deleted ones are dropped.
 * @param old the words in order of their start
 * @param duration the video's, in seconds
 */
export function realign(old: readonly Word[], text: string, duration: number): Word[] {
  const { tokens, ends } = tokenizeWords(old);
  const wanted = tokenize(text);
  const match = matchTokens(tokens, wanted);

  // A word is unchanged if all of its tokens matched side by side.
  const result: Word[] = [];
  let next = 0;
  let done = 0;
  function flushGap(until: number, fresh: readonly string[]) {
    const gap = { before: result.at(-1), after: old[until], gone: old.slice(done, until) };
    const times = spreadTimes(gap, fresh.length, duration);
    for (const [index, word] of fresh.entries()) {
      const [start_time = 0, end_time = 0] = times[index] ?? [];
      result.push({ word, start_time, end_time });
    }
  }
  for (const [index, word] of old.entries()) {
    const from = index === 0 ? 0 : (ends[index - 1] ?? 0);
    const to = ends[index] ?? from;
    const place = match[from] ?? -1;
    const whole = to > from && place >= 0 && (match[to - 1] ?? -1) === place + (to - from) - 1;
    if (!whole) continue;
    flushGap(index, wanted.slice(next, place));
    result.push(word);
    next = place + (to - from);
    done = index + 1;
  }
  flushGap(old.length, wanted.slice(next));
  return result;
}
