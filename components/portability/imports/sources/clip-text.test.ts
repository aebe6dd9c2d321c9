import { describe, expect, it } from 'vitest';
import { splitText, titleOfClip, titleOfText, toTagNames } from './clip-text';

describe('a text’s title', () => {
  it.each([
    ['# The **long** way home\n\nWe took the tram.', 'The long way home', 'We took the tram.'],
    ['\n\n- [Lisbon](https://example.com) with `Ana`\nand Tim', 'Lisbon with Ana', 'and Tim'],
    ['snake_case stays', 'snake_case stays', ''],
    ['2 * 3 * 4', '2 * 3 * 4', ''],
    ['***\n---\nAfter a line', 'After a line', ''],
    ['', '', ''],
    ['\n \n', '', ''],
    // The server refuses control characters, carriage returns among them.
    ['One\u0000\r\n\r\nTwo\u0007\rThree', 'One', 'Two\nThree'],
  ])('is its first line without markup: %j', (text, title, rest) => {
    expect(titleOfText(text)).toEqual({ title, rest });
  });

  it('ends after a word if the line is too long, and then the text is whole', () => {
    const text = 'word '.repeat(100).trim();
    const { title, rest } = titleOfText(text);
    expect(title).toMatch(/^(word )+word…$/);
    expect([...title].length).toBeLessThanOrEqual(200);
    expect(rest).toBe(text);
    expect(titleOfText(text.replaceAll(' ', '\r\n')).rest).not.toContain('\r');
    expect(titleOfText(`${text}\r\nmore`).rest).toBe(`${text}\nmore`);
  });

  it.each(['*a ', '_a', '[', '![', '`', '**', '[a]('])('is found soon in a text of %s', (part) => {
    const { title } = titleOfText(part.repeat(100_000));
    expect([...title].length).toBeLessThanOrEqual(200);
  });
});

it('splits a text into notes that are short enough, without losing a word', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `word ${index}`).join(' ');
  const notes = splitText(text);
  expect(notes.every(({ length }) => length <= 10_000)).toBe(true);
  expect(notes.join(' ')).toBe(text);
  expect(splitText('x'.repeat(25_000)).join('')).toBe('x'.repeat(25_000));
  expect(splitText(' ')).toEqual([]);
});

it('counts composed letters, whatever form they have in the text', () => {
  expect(titleOfText('é'.repeat(200).normalize('NFD')).title).toBe('é'.repeat(200));
});

it('keeps each tag once', () => {
  expect(toTagNames(['Café', 'café'.normalize('NFD')])).toEqual(['Café']);
  expect(toTagNames([' Sea ', 'sea', '', 'Trip\r\n2019\u0000', 'x'.repeat(60)])).toEqual([
    'Sea',
    'Trip 2019',
    'x'.repeat(50),
  ]);
});

const day = { year: 2019, month: 7, day: 4 };

it.each([
  ['', 'IMG_4711.MOV', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', '04.mp4', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', '1SE 2019-07-04.mp4', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', 'July 4, 2019.mp4', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', 'PXL_20190704_213005123.mp4', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', 'WhatsApp Video 2019-07-04 at 9.30.05 PM.mp4', { title: 'Video from July 4, 2019', isTelling: false }],
  ['', '2019-07-04 first_steps.mp4', { title: 'First steps', isTelling: true }],
  ['At the lighthouse', 'IMG_4711.MOV', { title: 'At the lighthouse', isTelling: true }],
])('titles a clip by what’s said of it, or by its name: %j %s', (said, name, expected) => {
  expect(titleOfClip(said, name, day)).toEqual(expected);
});

it('has a title without a date, too', () => {
  expect(titleOfClip('', 'IMG_4711.MOV', null)).toEqual({ title: 'Video', isTelling: false });
});
