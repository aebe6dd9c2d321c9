import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

/** How close a word gets to the edges before it's scrolled to, in pixels. */
const MARGIN = { top: 36, bottom: 72 };
/** In one column the words scroll with the page. The same as in transcript.css. */
const STACKED = '(max-width: 979px)';

type Edges = Pick<DOMRect, 'top' | 'bottom'>;

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

/** How long the page stays where a person has scrolled it, in milliseconds. */
const REST_MS = 400;

/**
 * Scrolls with the current word until the person scrolls away from it. A panel follows again when it's told to; a page
 * also when it's scrolled back to the word. A page whose words aren't read yet, since the player above is being watched,
 * stays.
 * @returns `away` is whether the current word is somewhere else, after the person scrolled
 */
export function useFollowing(scroller: RefObject<ReturnType<typeof createWordScroller> | null>) {
  const following = useRef(true);
  const current = useRef<Element>(null);
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY);
  const [away, setAway] = useState(false);

  function stop() {
    if (!current.current) return;
    following.current = false;
    setAway(true);
  }

  function start() {
    following.current = true;
    setAway(false);
  }

  const onScroll = useEffectEvent(() => {
    const to = scroller.current;
    if (!to?.scrollsPage() || !to.isMovedByPerson()) return;
    scrolledAt.current = performance.now();
    if (!current.current) return;
    following.current = to.isVisible(current.current);
    setAway(!following.current && to.isRead());
  });
  useEffect(() => {
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);

  return {
    away,
    start,
    stop,
    /** Scrolls to the current word if it's followed. */
    follow(word: Element) {
      const to = scroller.current;
      current.current = word;
      if (!to || !following.current) return;
      if (to.scrollsPage()) {
        if (!to.isRead() || performance.now() - scrolledAt.current < REST_MS) return;
      }
      to.show(word);
    },
  };
}
