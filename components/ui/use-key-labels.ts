import { useEffect, useState } from 'react';

/** A letter that stands alone, as in “Ctrl+K”. */
const ALONE = /(?<![A-Za-z])[A-Z](?![A-Za-z])/g;

type Layout = ReadonlyMap<string, string>;

/** The keyboard map, which only Chromium's browsers have (https://wicg.github.io/keyboard-map). */
type NavigatorWithKeyboard = Navigator & { keyboard?: { getLayoutMap?(): Promise<Layout> } };

let asked: Promise<Layout | undefined> | undefined;

/** Resolves to the keyboard's layout; undefined if the browser doesn't tell. */
function findLayout(): Promise<Layout | undefined> {
  const { keyboard } = navigator as NavigatorWithKeyboard;
  // A frame may not ask.
  asked ??= Promise.resolve(keyboard?.getLayoutMap?.()).catch(() => undefined);
  return asked;
}

/** Returns what a key has on it that {@link keyOf} takes for a Latin letter: that letter, unless the layout has none. */
function labelOf(letter: string, layout: Layout): string {
  const isLatin = [...layout.values()].includes(letter.toLowerCase());
  return isLatin ? letter : (layout.get(`Key${letter}`)?.toUpperCase() ?? letter);
}

/**
 * Returns a function that writes shortcuts, such as “Ctrl+K”, with the letters on this keyboard. They're Latin until that's
 * known, and in browsers that don't tell.
 */
export function useKeyLabels(): (keys: string) => string {
  const [layout, setLayout] = useState<Layout>();
  useEffect(() => {
    let isGone = false;
    void findLayout().then((found) => !isGone && setLayout(found));
    return () => {
      isGone = true;
    };
  }, []);
  return (keys) => (layout ? keys.replaceAll(ALONE, (letter) => labelOf(letter, layout)) : keys);
}
