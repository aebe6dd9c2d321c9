import { describe, expect, it } from 'vitest';
import { storedWords } from '@/test/transcript-fixtures';
import { titleFromWords } from './placeholder-title';

const title = (text: string) => titleFromWords(storedWords(text));

describe('a title from the first words', () => {
  it.each([
    ['We saw a whale. It was huge.', 'We saw a whale'],
    ['Did you see that? Wow!', 'Did you see that'],
    ['Dr. Lee called, and so did J. Smith. Then we left.', 'Dr. Lee called, and so did J. Smith'],
    ['She said “go on.” Then we left.', 'She said “go on”'],
    ['one two three four five six seven eight', 'one two three four five six seven eight'],
    ['one two three four five six seven eight nine.', 'one two three four five six seven eight…'],
    ['one two three four five six seven, eight, nine', 'one two three four five six seven, eight…'],
    ['Hello', 'Hello'],
    ['—', null],
    ['... .', null],
  ])('of “%s”', (text, expected) => {
    expect(title(text)).toBe(expected);
  });

  it('has at most 60 characters, and ends with a word', () => {
    const long = 'incomprehensibly interdisciplinary internationalization considerations matter';
    expect(title(long)).toBe('incomprehensibly interdisciplinary internationalization…');
    expect(title('x'.repeat(60))).toBe('x'.repeat(60));
    expect(title(`${'x'.repeat(59)} y`)).toBe(`${'x'.repeat(59)}…`);
    expect(title('🐋'.repeat(100))).toBeNull();
    expect(title('ä'.repeat(100))).toBe(`${'ä'.repeat(59)}…`);
  });

  it('has no more than was said', () => {
    expect(titleFromWords([])).toBeNull();
    expect(
      titleFromWords([
        ['We saw', 0, 1],
        ['a whale.', 1, 2],
      ]),
    ).toBe('We saw a whale');
  });
});
