import type { Match } from './find-words';

/** How close the current word gets to the panel's edges before it scrolls, in pixels. */
const MARGIN = 72;

/**
 * Highlights words by setting classes on their spans outside React, so that a change touches two spans however many
 * there are. `now` is the word being spoken, `cursor` the one with keyboard focus.
 */
export function createWordHighlighter(panel: HTMLElement) {
  const spans = [...panel.querySelectorAll<HTMLSpanElement>('.transcript-paragraph > p > span')];
  const order = new Map(spans.map((span, index) => [span, index]));
  const marked: Record<'now' | 'cursor', HTMLSpanElement | undefined> = { now: undefined, cursor: undefined };

  function move(mark: 'now' | 'cursor', index: number): HTMLSpanElement | undefined {
    const before = marked[mark];
    const after = spans[index];
    if (before === after) return after;
    before?.classList.remove(mark);
    after?.classList.add(mark);
    marked[mark] = after;
    return after;
  }

  let found: HTMLSpanElement[] = [];

  return {
    count: spans.length,
    indexOf: (span: Element) => order.get(span as HTMLSpanElement) ?? -1,
    /** Scrolls the panel, never the page, so that a word is in its upper third. */
    show(index: number) {
      const span = spans[index];
      if (!span) return;
      const word = span.getBoundingClientRect();
      const box = panel.getBoundingClientRect();
      if (word.top >= box.top + MARGIN / 2 && word.bottom <= box.bottom - MARGIN) return;
      panel.scrollTop += word.top - box.top - box.height / 3;
    },
    /** Highlights matches, and the selected one more strongly. */
    find(matches: readonly Match[], shown: Match | undefined) {
      for (const span of found) span.classList.remove('match', 'shown');
      found = matches.flatMap(({ first, last }) => spans.slice(first, last + 1));
      for (const span of found) span.classList.add('match');
      if (!shown) return;
      for (const span of spans.slice(shown.first, shown.last + 1)) span.classList.add('shown');
    },
    now(index: number) {
      move('now', index);
    },
    /** Moves the keyboard cursor; the span's id is for `aria-activedescendant`. */
    cursor(index: number, id: string) {
      marked.cursor?.removeAttribute('id');
      move('cursor', index)?.setAttribute('id', id);
    },
  };
}
