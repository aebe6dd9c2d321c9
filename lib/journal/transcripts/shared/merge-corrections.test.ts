import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Word } from '@/lib/journal/transcripts/contract';
import { mergeCorrections, resolveConflicts } from './merge-corrections';

/** Words of half a second each, one a second. */
const said = (text: string): Word[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, index) => ({ word, start_time: index, end_time: index + 0.5 }));

const textOf = (words: readonly Word[]) => words.map(({ word }) => word).join(' ');

function merge(base: string, mine: string, theirs: string) {
  const { words, conflicts } = mergeCorrections(said(base), said(mine), said(theirs));
  return {
    text: textOf(words),
    conflicts: conflicts.map(({ at, ...sides }) => [
      at,
      textOf(sides.base),
      textOf(sides.mine),
      textOf(sides.theirs),
    ]),
  };
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
    expect(merge(before, mine, theirs)).toEqual({ text: after, conflicts: [] });
  });

  it('leaves different changes of the same words to the person', () => {
    expect(merge('I called Dan today', 'I called Dad today', 'I called Don today')).toEqual({
      text: 'I called today',
      conflicts: [[2, 'Dan', 'Dad', 'Don']],
    });
    expect(merge('I called', 'I called Mum', 'I called Dad')).toEqual({
      text: 'I called',
      conflicts: [[2, '', 'Mum', 'Dad']],
    });
    expect(merge('a b c d e', 'a x y d E', 'A b z d e')).toEqual({
      text: 'A d E',
      conflicts: [[1, 'b c', 'x y', 'b z']],
    });
  });

  it('takes times from the side that changed a word, and moved ones from the other', () => {
    const before = said('one two three');
    const mine = said('one too three').map((word) =>
      word.word === 'too' ? { ...word, start_time: 1.2 } : word,
    );
    const theirs = before.map((word) => (word.word === 'three' ? { ...word, end_time: 2.9 } : word));
    expect(mergeCorrections(before, mine, theirs).words).toEqual([before[0], mine[1], theirs[2]]);
  });

  it('puts what was chosen at each place', () => {
    const merged = mergeCorrections(said('a b c d'), said('a B c D'), said('a bb c dd'));
    const texts = (['mine', 'theirs'] as const).map((first) =>
      textOf(resolveConflicts(merged, [first, 'theirs'])),
    );
    expect(texts).toEqual(['a B c dd', 'a bb c dd']);
  });

  it('is one side’s version if the other changed nothing, whatever the words', () => {
    fc.assert(
      fc.property(corrected, ([before, mine]) => {
        expect(mergeCorrections(before, mine, before)).toEqual({ words: mine, conflicts: [] });
        expect(mergeCorrections(before, before, mine)).toEqual({ words: mine, conflicts: [] });
        expect(textOf(mergeCorrections(before, mine, mine).words)).toBe(textOf(mine));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for both sides, and in time order', () => {
    fc.assert(
      fc.property(corrected, ([before, mine, theirs]) => {
        const [one, two] = [mergeCorrections(before, mine, theirs), mergeCorrections(before, theirs, mine)];
        expect(textOf(one.words)).toBe(textOf(two.words));
        expect(one.conflicts.map(({ mine: words }) => textOf(words))).toEqual(
          two.conflicts.map(({ theirs: words }) => textOf(words)),
        );
        expectValid(one.words);
        for (const choice of ['mine', 'theirs'] as const)
          expectValid(
            resolveConflicts(
              one,
              one.conflicts.map(() => choice),
            ),
          );
      }),
      { numRuns: 2000 },
    );
  });

  it('loses no word that somebody wrote or that both kept', () => {
    fc.assert(
      fc.property(
        base,
        edits(fc.nat(50).map((n) => `m${n}`)),
        edits(fc.nat(50).map((n) => `t${n}`)),
        (before, mineEdits, theirEdits) => {
          const [mine, theirs] = [edited(before, mineEdits), edited(before, theirEdits)];
          const merged = mergeCorrections(before, mine, theirs);
          for (const [side, words, letter] of [
            ['mine', mine, 'm'],
            ['theirs', theirs, 't'],
          ] as const) {
            const chosen = resolveConflicts(
              merged,
              merged.conflicts.map(() => side),
            );
            const written = (all: readonly Word[]) =>
              all.map(({ word }) => word).filter((word) => word.startsWith(letter));
            expect(written(chosen)).toEqual(written(words));
            const isIn = (all: readonly Word[], word: string) => all.some((one) => one.word === word);
            const bothKept = before.filter(({ word }) => isIn(mine, word) && isIn(theirs, word));
            for (const { word } of bothKept) expect(isIn(chosen, word), word).toBe(true);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('merges and resolves more words than a call has space for', () => {
    const words = said(Array.from({ length: 150_000 }, (_, n) => `w${n}`).join(' '));
    expect(mergeCorrections([], words, []).words).toHaveLength(150_000);
    expect(mergeCorrections([], [], words).words).toHaveLength(150_000);
    const merged = mergeCorrections(said('a'), words, said('b'));
    expect(merged.conflicts).toHaveLength(1);
    expect(resolveConflicts(merged, ['mine'])).toHaveLength(150_000);
  });

  it('merges long transcripts', () => {
    const before = said(Array.from({ length: 20_000 }, (_, n) => `w${n % 700}`).join(' '));
    const [mine, theirs] = [10, 15_000].map((at) => edited(before, [{ at, remove: 2, write: ['new'] }]));
    const { words, conflicts } = mergeCorrections(before, mine ?? [], theirs ?? []);
    expect([words.length, conflicts.length]).toEqual([19_998, 0]);
  });
});
