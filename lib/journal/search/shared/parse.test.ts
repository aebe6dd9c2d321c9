import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from './parse';

const read = (query: string) =>
  parseQuery(query).map(
    ({ words, excluded, quoted, prefix }) =>
      `${excluded ? '-' : ''}${quoted ? `"${words.join(' ')}"` : words.join(' ')}${prefix ? '*' : ''}`,
  );

describe('what a person has typed', () => {
  it.each([
    ['the sea', ['the', 'sea*']],
    ['"good morning" Anna', ['"good morning"', 'Anna*']],
    ['“good morning”', ['"good morning"']],
    ['sea -rain', ['sea', '-rain']],
    ['-"bad day" sea', ['-"bad day"', 'sea*']],
    ['"still open', ['"still open"']],
    ['mother-in-law', ['mother-in-law*']],
    ['- -- " "" !', []],
    ['sea 🌊', ['sea', '🌊*']],
    ['🇯🇵', ['🇯🇵*']],
    ['', []],
  ])('reads %s', (query, terms) => {
    expect(read(query)).toEqual(terms);
  });

  it('reads anything, in few words that Postgres can store', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (query) => {
        const words = parseQuery(query).flatMap((term) => term.words);
        expect(words.length).toBeLessThanOrEqual(24);
        for (const word of words) expect(word).not.toMatch(/[\0\p{Cs}\s"]/u);
      }),
    );
  });

  it('reads 24 words, also of phrases, and 500 characters', () => {
    const words = Array.from({ length: 25 }, (_, n) => `w${n}`);
    expect(read(words.slice(0, 24).join(' '))).toEqual([...words.slice(0, 23), 'w23*']);
    expect(read(words.join(' '))).toEqual([...words.slice(0, 23), 'w23*']);
    expect(read(`${words.slice(0, 22).join(' ')} "a b c d"`)).toEqual([...words.slice(0, 22), '"a b"']);
    const [long, space] = ['a'.repeat(250), ' '];
    expect(read(`${long}${space}${'b'.repeat(249)}`)).toEqual([long, `${'b'.repeat(249)}*`]);
    expect(read(`${long}${space}${'b'.repeat(250)}`)).toEqual([long, `${'b'.repeat(249)}*`]);
  });
});
