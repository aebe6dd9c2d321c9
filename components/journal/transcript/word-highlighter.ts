import type { Match } from './find-words';

/**
 * Highlights words by setting classes on their spans outside React, so that a change touches two spans however many
 * there are. `now` is the word being spoken, `cursor` the one with keyboard focus. Paragraphs up to the current one are
 * `spoken`.
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

  const paragraphs = [...panel.querySelectorAll<HTMLElement>('.transcript-paragraph')];
  let spoken = -1;

  /** Marks the paragraphs up to a word's. Changes only those between it and the one before. */
  function speak(word: HTMLSpanElement | undefined): void {
    const paragraph = word?.parentElement?.parentElement;
    if (paragraph && paragraph === paragraphs[spoken]) return;
    const last = paragraph ? paragraphs.indexOf(paragraph) : -1;
    for (let index = Math.min(last, spoken) + 1; index <= Math.max(last, spoken); index += 1) {
      paragraphs[index]?.classList.toggle('spoken', index <= last);
    }
    spoken = last;
  }

  let found: HTMLSpanElement[] = [];

  return {
    count: spans.length,
    indexOf: (span: Element) => order.get(span as HTMLSpanElement) ?? -1,
    spanAt: (index: number): HTMLSpanElement | undefined => spans[index],
    /** Highlights matches, and the selected one more strongly. */
    find(matches: readonly Match[], shown: Match | undefined) {
      for (const span of found) span.classList.remove('match', 'shown');
      found = matches.flatMap(({ first, last }) => spans.slice(first, last + 1));
      for (const span of found) span.classList.add('match');
      if (!shown) return;
      for (const span of spans.slice(shown.first, shown.last + 1)) span.classList.add('shown');
    },
    now(index: number) {
      speak(move('now', index));
    },
    /** Moves the keyboard cursor; the span's id is for `aria-activedescendant`. */
    cursor(index: number, id: string) {
      marked.cursor?.removeAttribute('id');
      move('cursor', index)?.setAttribute('id', id);
    },
  };
}
