import { expect, it } from 'vitest';
import { keyOf } from './key-of';

const press = (key: string, code: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key, code, isComposing: false, keyCode: 0, ...more }) as KeyboardEvent;

it.each([
  ['a letter in lower case, whatever Shift and Caps Lock say', press('K', 'KeyK'), 'k'],
  ['a letter by its name where a French keyboard has it', press('a', 'KeyQ'), 'a'],
  ['an accented letter as itself', press('É', 'Digit2'), 'é'],
  ['a Cyrillic letter by its place', press('л', 'KeyK'), 'k'],
  ['a Greek one', press('Κ', 'KeyK'), 'k'],
  ['a Hebrew one', press('ל', 'KeyK'), 'k'],
  ['a Korean one', press('ㅏ', 'KeyK'), 'k'],
  ['a Cyrillic letter where an American keyboard has a comma', press('б', 'Comma'), 'б'],
  ['what a Hebrew keyboard has in place of W', press("'", 'KeyW'), "'"],
  ['a question mark', press('?', 'Slash'), '?'],
  ['a digit', press('1', 'Digit1'), '1'],
  ['Enter', press('Enter', 'NumpadEnter'), 'Enter'],
  ['nothing of an input method', press('Enter', 'Enter', { isComposing: true }), 'Process'],
  ['nothing of Safari’s, which has ended it by then', press('Enter', 'Enter', { keyCode: 229 }), 'Process'],
])('reads %s', (_, event, key) => {
  expect(keyOf(event)).toBe(key);
});

it('reads a press that React reports', () => {
  const nativeEvent = press('л', 'KeyK');
  expect(keyOf({ nativeEvent } as React.KeyboardEvent)).toBe('k');
});
