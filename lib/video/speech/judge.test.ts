import tokenizer from 'llama-tokenizer-js';
import { describe, expect, it } from 'vitest';
import { type Decoding, DOUBTFUL_SCORE, isIntelligible, judge } from './decode';

/** What a decoder that is sure of itself returns for a text. It stops without an end token in a loop. */
function decoding(text: string, { logProbability = -0.05, ends = true } = {}): Decoding {
  const ids = text ? tokenizer.encode(text, false) : [];
  return { tokens: ids.map((id) => ({ id, logProbability })), end: ends ? logProbability : null };
}

const textOf = (...decodings: Decoding[]) =>
  judge(decodings, 2)
    .words.map(({ word }) => word)
    .join(' ');

describe('the words of a decoding', () => {
  it('are as the model writes them', () => {
    expect(textOf(decoding('It’s 5 o’clock, Zoë said: “Señor Müller—no!” 日本'))).toBe(
      'It’s 5 o’clock, Zoë said: “Señor Müller—no!” 日本',
    );
    expect(textOf(decoding('We went home.'), decoding('It rained.'))).toBe('We went home. It rained.');
  });

  it('have their tokens’ mean probability', () => {
    const { words } = judge([decoding('Unquestionably', { logProbability: Math.log(0.6) })], 1);
    expect(words).toEqual([{ word: 'Unquestionably', confidence: expect.closeTo(0.6, 5) }]);
  });

  it('leave out punctuation that stands alone', () => {
    expect(textOf(decoding('Well - yes ... no'))).toBe('Well yes no');
  });

  it('leave out a loop that never ended', () => {
    expect(textOf(decoding('So I was uh uh uh uh uh uh', { ends: false }))).toBe('So I was');
    expect(textOf(decoding('and then we, and then we, and then we, and then', { ends: false }))).toBe('');
  });

  it('keep what somebody says three times', () => {
    expect(textOf(decoding('No, no, no!'))).toBe('No, no, no!');
  });
});

describe('the score', () => {
  const score = (text: string, voiced: number, options?: { logProbability?: number; ends?: boolean }) =>
    judge([decoding(text, options)], voiced).score;

  it('is high for sure words at a usual speed', () => {
    expect(score('We went to the lake and swam', 2)).toBeGreaterThan(DOUBTFUL_SCORE);
  });

  it.each([
    ['no words where somebody spoke', '', 2, {}],
    ['words repeated over and over', 'you know you know you know you know', 3, {}],
    ['no end', 'We went to the lake and swam', 2, { ends: false }],
    ['few words for so much voice', 'We went', 8, {}],
    ['unsure words', 'We went to the lake and swam', 2, { logProbability: -0.4 }],
  ])('is doubtful for %s', (_, text, voiced, options) => {
    expect(score(text, voiced, options)).toBeLessThan(DOUBTFUL_SCORE);
  });

  it('is not doubtful for a breath without words', () => {
    expect(score('', 0.4)).toBeLessThan(0);
    expect(score('', 0.4)).toBeGreaterThan(-1);
  });
});

it('drops what it doesn’t understand, and short sounds sooner', () => {
  const attempt = (logProbability: number) => judge([decoding('Thank you.', { logProbability })], 1);
  expect(isIntelligible(attempt(-0.6), 1)).toBe(true);
  expect(isIntelligible(attempt(-0.6), 0.2)).toBe(false);
  expect(isIntelligible(attempt(-1), 1)).toBe(false);
});

it('drops more words than anybody says in that time, unless it’s sure of them', () => {
  const attempt = (logProbability: number) =>
    judge([decoding('You’re going to lose your warmth and hope.', { logProbability })], 1.2);
  expect(isIntelligible(attempt(-0.49), 1.2)).toBe(false);
  expect(isIntelligible(attempt(-0.6), 2.4)).toBe(true);
  expect(isIntelligible(attempt(-0.2), 1.2)).toBe(true);
});
