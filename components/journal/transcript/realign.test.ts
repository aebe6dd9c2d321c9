import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Word } from '@/lib/journal/transcripts/contract';
import { realign } from './realign';

const word = (text: string, start_time: number, end_time: number): Word => ({
  word: text,
  start_time,
  end_time,
});

/** Words of half a second each, one a second. */
const said = (text: string) => text.split(' ').map((one, index) => word(one, index, index + 0.5));

const textOf = (words: readonly Word[]) => words.map((one) => one.word).join(' ');

/** Timed words as engines give them: in order of their start, ends at times beyond the next start. */
const transcript = (vocabulary: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(vocabulary, fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 900 })), {
      maxLength: 40,
    })
    .map((parts) => {
      let start = 0;
      return parts.map(([text, pause, length]) => {
        start += pause;
        return word(text, start / 1000, (start + length) / 1000);
      });
    });

const few = fc.constantFrom('the', 'a', 'Dad', 'called', 'and', 'then');

/** What a person does to a text: cuts a stretch out and writes something else. */
const edit = fc.record({ at: fc.nat(40), remove: fc.nat(6), write: fc.array(few, { maxLength: 6 }) });

function apply(tokens: string[], edits: { at: number; remove: number; write: string[] }[]): string[] {
  const edited = [...tokens];
  for (const { at, remove, write } of edits) edited.splice(Math.min(at, edited.length), remove, ...write);
  return edited;
}

function expectSound(words: readonly Word[], duration: number) {
  for (const [index, one] of words.entries()) {
    expect(one.start_time).toBeGreaterThanOrEqual(words[index - 1]?.start_time ?? 0);
    expect(one.end_time).toBeGreaterThanOrEqual(one.start_time);
    expect(one.end_time).toBeLessThanOrEqual(duration + 1);
  }
}

describe('realign', () => {
  it('keeps times in order and within the video through 10,000 random edits', () => {
    fc.assert(
      fc.property(transcript(few), fc.array(edit, { maxLength: 3 }), fc.boolean(), (old, edits, exact) => {
        const end = Math.max(0, ...old.map((one) => one.end_time));
        const duration = exact ? end : end + 5;
        const edited = apply(
          old.map((one) => one.word),
          edits,
        );
        const result = realign(old, edited.join(' '), duration);
        expect(textOf(result)).toBe(edited.join(' '));
        expectSound(result, duration);
        const places = result.map((one) => old.indexOf(one)).filter((place) => place >= 0);
        expect(places).toEqual([...places].sort((one, two) => one - two));
      }),
      { numRuns: 10_000 },
    );
  });

  it("keeps unchanged words' timing", () => {
    const words = transcript(fc.constant('')).map((all) =>
      all.map((one, index) => ({ ...one, word: `word${index}` })),
    );
    fc.assert(
      fc.property(words, fc.array(edit, { maxLength: 3 }), (old, edits) => {
        const edited = apply(
          old.map((one) => one.word),
          edits,
        );
        const result = realign(old, edited.join('\n '), 1000);
        for (const [index, token] of edited.entries()) {
          const before = old.find((one) => one.word === token);
          if (before) expect(result[index]).toBe(before);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('gives a corrected name the timing of the misheard one', () => {
    const [i, called, dan, today] = said('I called Dan today');
    expect(realign([i, called, dan, today] as Word[], 'I called Dad today', 9)).toEqual([
      i,
      called,
      word('Dad', 2, 2.5),
      today,
    ]);
  });

  it('fits new words into the pause between their neighbors', () => {
    const old = [word('one', 0, 1), word('four', 3, 4)];
    expect(realign(old, 'one two three four', 9)).toEqual([
      old[0],
      word('two', 1, 1.4),
      word('three', 1.4, 1.8),
      old[1],
    ]);
    const close = [word('one', 0, 1), word('three', 1, 2)];
    expect(realign(close, 'one two three', 9)[1]).toEqual(word('two', 1, 1));
  });

  it('adds words before the first and after the last, within the video', () => {
    const old = [word('two', 5, 6)];
    expect(realign(old, 'one two three', 6.2)).toEqual([word('one', 4.6, 5), old[0], word('three', 6, 6.2)]);
    expect(realign([], 'all by hand', 60)).toHaveLength(3);
    expect(realign(old, '  \n ', 6)).toEqual([]);
  });

  it('keeps words with spaces whole', () => {
    const old = [word('New York', 0, 1), word('again', 1, 2)];
    expect(realign(old, 'New York again', 9)).toEqual(old);
    expect(textOf(realign(old, 'New Orleans again', 9))).toBe('New Orleans again');
    expect(realign(old, 'New Orleans again', 9)[2]).toBe(old[1]);
  });

  it('matches 10,000 words with changes at both ends', () => {
    const old = Array.from({ length: 10_000 }, (_, n) => word(`w${n % 700}x${n % 13}`, n, n + 0.5));
    const edited = old.map((one) => one.word);
    edited.splice(9990, 2, 'late');
    edited.splice(3, 1, 'early', 'words');
    const result = realign(old, edited.join(' '), 20_000);
    expect(result).toHaveLength(10_000);
    expect(result.filter((one) => old.includes(one)).length).toBe(9997);
    expectSound(result, 20_000);
  });

  it('handles more new words than a call has space for', () => {
    const text = Array.from({ length: 150_000 }, (_, n) => `w${n}`).join(' ');
    const pasted = realign([word('old', 0, 1)], text, 20_000);
    expect(pasted).toHaveLength(150_000);
    expect(realign([word(text, 0, 1), word('again', 1, 2)], `${text} again`, 9)).toHaveLength(2);
  });

  it('handles a rewrite of all 10,000 words', () => {
    const old = Array.from({ length: 10_000 }, (_, n) => word('old', n, n + 0.5));
    const text = Array.from({ length: 10_000 }, () => 'new').join(' ');
    expectSound(realign(old, text, 20_000), 20_000);
  });
});
