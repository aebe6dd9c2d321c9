import { describe, expect, it } from 'vitest';
import { cleanText, isBlank } from './clean-text';

describe('a text is stored', () => {
  it.each([
    ['with a line feed for a presentation’s line break', 'one\u000btwo', 'one\ntwo'],
    ['with one for that of Windows, and of an old Mac', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['without C0 and C1 control characters', 'o\u0000n\u001be\u0086\u009f', 'one'],
    ['with its tabs', 'one\ttwo', 'one\ttwo'],
    ['composed', 'Ze\u0301ro', 'Z\u00e9ro'],
    ['without halves of characters', 'one\ud83d', 'one\ufffd'],
    ['with what joins letters in Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['with what joins a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['trimmed', ' \u000b one \u0007', 'one'],
  ])('%s', (_, given, stored) => {
    expect(cleanText(given)).toBe(stored);
  });
});

it.each([
  '',
  ' \n',
  '\u200b',
  '\u2060',
  '\u3164',
  '\u115f\uffa0',
  '\ufe0f',
  '\u2800',
  '\u200b \u200d',
  '\u{e0020}',
])('has nothing to be seen: %j', (text) => {
  expect(isBlank(text)).toBe(true);
});

it.each(['a', '.', '\u200ba', '❤\ufe0f', '…', '\u0301a', '水'])('has something to be seen: %j', (text) => {
  expect(isBlank(text)).toBe(false);
});
