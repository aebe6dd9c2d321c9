import { describe, expect, it } from 'vitest';
import type { StoredWord } from '@/db/schema/transcripts';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import { pickHighlight } from './pick';

/** Returns a transcript of a text: half a second for each word, and `|` for a pause of two seconds. */
function spoken(text: string, confidence?: number): StoredWord[] {
  let at = 0;
  const words: StoredWord[] = [];
  for (const word of text.split(/\s+/)) {
    if (word === '|') {
      at += 2;
      continue;
    }
    words.push(confidence === undefined ? [word, at, at + 0.4] : [word, at, at + 0.4, confidence]);
    at += 0.5;
  }
  return words;
}

function pick(text: string): string | undefined {
  const words = spoken(text);
  const range = runAtOnce(pickHighlight(words));
  return range === null
    ? undefined
    : words
        .slice(range.from, range.to)
        .map(([word]) => word)
        .join(' ');
}

describe('the sentence that stands for an entry', () => {
  it('is one that says what somebody felt, not the greeting', () => {
    expect(
      pick(
        'Okay, so hi, um, it is Friday and this is me again. I called Dad this morning and he picked up like he had been waiting. So yeah, um, that is it for today I think.',
      ),
    ).toBe('I called Dad this morning and he picked up like he had been waiting.');
  });

  it('leaves out fillers and repeated words', () => {
    const picked = pick(
      'Um, so, well, um, like, you know, um, okay, well, so, um, like. We laughed until the kettle boiled over and nobody noticed.',
    );
    expect(picked).toBe('We laughed until the kettle boiled over and nobody noticed.');
  });

  it('joins short sentences into one quotation', () => {
    const picked = pick('Snow again. I love it. Nobody else does.');
    expect(picked).toContain('I love it.');
    expect(picked?.split(' ').length).toBeGreaterThan(5);
  });

  it('ends at pauses where the engine wrote no punctuation, and never gets too long', () => {
    expect(pick('i carried the bulbs anyway in the snow with a soup spoon | so that was tuesday')).toBe(
      'i carried the bulbs anyway in the snow with a soup spoon',
    );
    const clauses = Array.from({ length: 12 }, (_, n) => `clause number n${n} ends here,`).join(' ');
    expect(pick(clauses)?.endsWith('here,')).toBe(true);
    const long = runAtOnce(
      pickHighlight(spoken(Array.from({ length: 500 }, (_, n) => `word${n}`).join(' '))),
    );
    expect(long && long.to - long.from).toBeLessThanOrEqual(34);
  });

  it('prefers what was heard clearly', () => {
    const sentence = 'I carried the bulbs anyway with a soup spoon.';
    const [unsure, sure] = [spoken(sentence, 0.2), spoken(sentence, 0.99)];
    const shifted = sure.map(([word, start, end, known]): StoredWord => [word, start + 60, end + 60, known]);
    expect(runAtOnce(pickHighlight([...unsure, ...shifted]))?.from).toBe(unsure.length);
  });

  it('is everything in a very short transcript, and nothing without words', () => {
    expect(pick('Good night.')).toBe('Good night.');
    expect(runAtOnce(pickHighlight([]))).toBeNull();
  });
});
