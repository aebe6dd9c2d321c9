import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

const LETTER_KEY = /^Key([A-Z])$/;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /^\p{L}\p{M}*$/u;

/** What `key` is of presses that an input method handles (UI Events KeyboardEvent key Values, 3.3). */
const PROCESS = 'Process';

/**
 * Returns whether a press belongs to an input method, which may use Enter, Escape, and the arrow keys while it turns letters
 * into words. Safari ends the composition before it reports the Enter that ended it, and only `keyCode` still tells
 * (UI Events, 7.3.1).
 */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

/**
 * Returns the key of a press, as UI Events names it. A letter is in lower case. Where the keyboard's layout has other letters
 * than Latin ones, as Greek or Hebrew, it's the letter that the key has on an American keyboard. It's `Process` for what belongs
 * to an input method.
 */
export function keyOf(event: KeyboardEvent | ReactKeyboardEvent): string {
  const press = 'nativeEvent' in event ? event.nativeEvent : event;
  if (isComposing(press)) return PROCESS;
  const { key, code } = press;
  if (!LETTER.test(key)) return key;
  const [, american] = LETTER_KEY.exec(code) ?? [];
  return (LATIN.test(key) ? key : (american ?? key)).toLowerCase();
}
