import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Word } from '@/lib/journal/transcripts/contract';
import { mergeCorrections } from './merge-corrections';

/** Words of half a second each, one a second. */
const said = (text: string): Word[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, index) => ({ word, start_time: index, end_time: index + 0.5 }));

const textOf = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');

function merge(base: string, mine: string, theirs: string) {
  const { words, hasConflict } = mergeCorrections(said(base), said(mine), said(theirs));
  return { text: textOf(words), hasConflict };
}

/** What a person does to words: cuts some out and writes others in their place. */
const edits = (words: fc.Arbitrary<string>) =>
  fc.array(fc.record({ at: fc.nat(12), remove: fc.nat(3), write: fc.array(words, { maxLength: 3 }) }), {
    maxLength: 3,
  });

type Edits = { at: number; remove: number; write: string[] }[];

/** Applies edits; a new word gets the time of the word that it replaces or precedes. */
function edited(words: readonly Word[], changes: Edits): Word[] {
  let result = [...words];
  for (const { at, remove, write } of changes) {
    const from = Math.min(at, result.length);
    const start_time = result[from]?.start_time ?? result.at(-1)?.end_time ?? 0;
    const fresh = write.map((word) => ({ word, start_time, end_time: start_time }));
    result = [...result.slice(0, from), ...fresh, ...result.slice(from + remove)];
  }
  return result;
}

const base = fc.nat(10).map((count) => said(Array.from({ length: count }, (_, n) => `w${n}`).join(' ')));
const few = fc.constantFrom('the', 'and', 'Dad');
/** Text in which words repeat, and what two people make of it. */
const corrected = fc
  .tuple(fc.array(few, { maxLength: 10 }), edits(few), edits(few))
  .map(([text, one, two]) => [said(text.join(' ')), one, two] as const)
  .map(([words, one, two]) => [words, edited(words, one), edited(words, two)] as const);

function expectValid(words: readonly Word[]) {
  for (const [index, { start_time, end_time }] of words.entries()) {
    expect(start_time).toBeGreaterThanOrEqual(words[index - 1]?.start_time ?? 0);
    expect(end_time).toBeGreaterThanOrEqual(start_time);
  }
}

describe('merged corrections', () => {
  it.each([
    [
      'of different words',
      'I called Dan today',
      'I called Dad today',
      'I rang Dan today',
      'I rang Dad today',
    ],
    ['of words side by side', 'Dan laughed', 'Dad laughed', 'Dan laughs', 'Dad laughs'],
    ['that are the same', 'I called Dan', 'I called Dad', 'I called Dad', 'I called Dad'],
    ['partly the same', 'Dan laffed', 'Dad laughed', 'Dan laughed', 'Dad laughed'],
    [
      'that insert and delete',
      'so I called Dan',
      'I called Dan',
      'so I called Dan again',
      'I called Dan again',
    ],
    ['of an empty side', 'one two', 'two', 'one', ''],
  ])('has changes %s', (_, before, mine, theirs, after) => {
    expect(merge(before, mine, theirs)).toEqual({ text: after, hasConflict: false });
  });

  it.each([
    ['a word', 'I called Dan today', 'I called Dad today', 'I called Don today', 'I called Dad today'],
    ['words at the same point', 'I called', 'I called Mum', 'I called Dad', 'I called Mum'],
    ['overlapping words', 'a b c d e', 'a x y d E', 'A b z d e', 'A x y d E'],
    ['two places', 'a b c d e', 'a B c D e', 'a bb c dd E', 'a B c D E'],
  ])('has mine where both changed %s differently', (_, before, mine, theirs, after) => {
    expect(merge(before, mine, theirs)).toEqual({ text: after, hasConflict: true });
  });

  it('takes times from the side that changed a word, and moved ones from the other', () => {
    const before = said('one two three');
    const mine = said('one too three').map((word) =>
      word.word === 'too' ? { ...word, start_time: 1.2 } : word,
    );
    const theirs = before.map((word) => (word.word === 'three' ? { ...word, end_time: 2.9 } : word));
    expect(mergeCorrections(before, mine, theirs).words).toEqual([before[0], mine[1], theirs[2]]);
  });

  it('is one side’s version if the other changed nothing, whatever the words', () => {
    fc.assert(
      fc.property(corrected, ([before, mine]) => {
        expect(mergeCorrections(before, mine, before)).toEqual({ words: mine, hasConflict: false });
        expect(mergeCorrections(before, before, mine)).toEqual({ words: mine, hasConflict: false });
        expect(textOf(mergeCorrections(before, mine, mine).words)).toBe(textOf(mine));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for both sides unless they conflict, and in time order', () => {
    fc.assert(
      fc.property(corrected, ([before, mine, theirs]) => {
        const [one, two] = [mergeCorrections(before, mine, theirs), mergeCorrections(before, theirs, mine)];
        expect(one.hasConflict).toBe(two.hasConflict);
        if (!one.hasConflict) expect(textOf(one.words)).toBe(textOf(two.words));
        expectValid(one.words);
      }),
      { numRuns: 2000 },
    );
  });

  it('loses no word that the later side wrote, that both kept, or, unless they conflict, of the other', () => {
    fc.assert(
      fc.property(
        base,
        edits(fc.nat(50).map((n) => `m${n}`)),
        edits(fc.nat(50).map((n) => `t${n}`)),
        (before, mineEdits, theirEdits) => {
          const [mine, theirs] = [edited(before, mineEdits), edited(before, theirEdits)];
          const { words, hasConflict } = mergeCorrections(before, mine, theirs);
          const written = (all: readonly Word[], letter: string) =>
            all.map(({ word }) => word).filter((word) => word.startsWith(letter));
          expect(written(words, 'm')).toEqual(written(mine, 'm'));
          if (!hasConflict) expect(written(words, 't')).toEqual(written(theirs, 't'));
          const isIn = (all: readonly Word[], word: string) => all.some((one) => one.word === word);
          const bothKept = before.filter(({ word }) => isIn(mine, word) && isIn(theirs, word));
          for (const { word } of bothKept) expect(isIn(words, word), word).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('merges more words than a call has space for', () => {
    const words = said(Array.from({ length: 150_000 }, (_, n) => `w${n}`).join(' '));
    expect(mergeCorrections([], words, []).words).toHaveLength(150_000);
    expect(mergeCorrections([], [], words).words).toHaveLength(150_000);
    expect(mergeCorrections(said('a'), words, said('b'))).toMatchObject({ words, hasConflict: true });
  });

  it('merges long transcripts', () => {
    const before = said(Array.from({ length: 20_000 }, (_, n) => `w${n % 700}`).join(' '));
    const [mine, theirs] = [10, 15_000].map((at) => edited(before, [{ at, remove: 2, write: ['new'] }]));
    const { words, hasConflict } = mergeCorrections(before, mine ?? [], theirs ?? []);
    expect([words.length, hasConflict]).toEqual([19_998, false]);
  });
});
