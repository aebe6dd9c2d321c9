/** How close a word gets to the edges before it's scrolled to, in pixels. */
const MARGIN = { top: 36, bottom: 72 };
/** In one column the words scroll with the page. The same as in transcript.css. */
const STACKED = '(max-width: 979px)';

interface Edges {
  top: number;
  bottom: number;
}

function windowEdges(): Edges {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  return {
    top: Number.parseFloat(scrollPaddingTop) || 0,
    bottom: window.innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0),
  };
}

/** Scrolls to words: in their panel, or with the page where the panel is as high as its words. */
export function createWordScroller(panel: HTMLElement) {
  const stacked = window.matchMedia(STACKED);
  const isInFlow = panel.closest('.transcript-flow') !== null;
  /** Where this scrolled the page to; scrolled anywhere else, a person did. */
  let expected = -1;

  const scrollsPage = () => isInFlow && stacked.matches;
  const edges = (): Edges => (scrollsPage() ? windowEdges() : panel.getBoundingClientRect());

  function isVisible(word: Element): boolean {
    const { top, bottom } = edges();
    const box = word.getBoundingClientRect();
    return box.top >= top + MARGIN.top && box.bottom <= bottom - MARGIN.bottom;
  }

  return {
    scrollsPage,
    isVisible,
    /** Scrolls so that a word is in the upper third, unless it can be seen already. */
    show(word: Element) {
      if (isVisible(word)) return;
      const { top, bottom } = edges();
      const by = word.getBoundingClientRect().top - top - (bottom - top) / 3;
      if (!scrollsPage()) {
        panel.scrollTop += by;
        return;
      }
      window.scrollBy({ top: by, behavior: 'instant' });
      expected = window.scrollY;
    },
    /** Returns whether the words have come up to the middle of the window, so that they're being read. */
    isRead: () => panel.getBoundingClientRect().top < window.innerHeight / 2,
    /** Returns whether the page is anywhere else than where this scrolled it to. */
    isMovedByPerson: () => Math.abs(window.scrollY - expected) > 2,
  };
}
