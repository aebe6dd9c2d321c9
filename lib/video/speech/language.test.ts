import { describe, expect, it } from 'vitest';
import { seemsEnglish } from './language';

/** A passage as the engine hears one. */
const passage = (text: string, logProbability: number, { voiced = 10, tokens = 12 } = {}) => ({
  voiced,
  logProbability,
  tokens,
  words: text.split(' ').filter(Boolean),
});

describe('seemsEnglish', () => {
  it.each([
    ['mumbled English in a loud place', passage('he asked them to stay for a while', -0.71)],
    ['a few words', passage('', -1.6, { voiced: 4.9 })],
    ['nothing', passage('', 0, { voiced: 0, tokens: 0 })],
    [
      'English that repeats itself a little',
      passage('and we sang happy birthday to you happy birthday to you all night long', -0.1, { tokens: 20 }),
    ],
    [
      'a song that repeats itself',
      passage(`${'happy birthday to you '.repeat(2)}happy birthday dear anna happy birthday to you`, -0.27, {
        voiced: 7.2,
        tokens: 24,
      }),
    ],
    [
      'a prayer with a response',
      passage(
        'for the sick lord hear our prayer for the poor lord hear our prayer '.repeat(2).trim(),
        -0.19,
        {
          voiced: 9.4,
          tokens: 40,
        },
      ),
    ],
  ])('says so of %s', (_, heard) => {
    expect(seemsEnglish([heard])).toBe(true);
  });

  it.each([
    ['words that the model was never sure of', passage('', -1.05)],
    [
      'a loop that it was sure of',
      passage('I am very happy to be here with you '.repeat(4).trim(), -0.13, { tokens: 48 }),
    ],
    ['a loop of fragments', passage('the old one the', -0.45, { tokens: 75 })],
  ])('denies it for %s', (_, heard) => {
    expect(seemsEnglish([heard])).toBe(false);
  });

  it('weighs passages by how long somebody spoke', () => {
    const [english, foreign] = [
      passage('this is clear', -0.1, { voiced: 20, tokens: 8 }),
      passage('', -1.2, { voiced: 5 }),
    ];
    expect(seemsEnglish([english, foreign])).toBe(true);
    expect(
      seemsEnglish([
        { ...english, voiced: 3 },
        { ...foreign, voiced: 20 },
      ]),
    ).toBe(false);
  });

  it('says so of an entry without passages', () => {
    expect(seemsEnglish([])).toBe(true);
  });
});
