import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { createWordScroller } from './word-scroller';

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
    const scrolled = () => onScroll();
    window.addEventListener('scroll', scrolled, { passive: true });
    return () => window.removeEventListener('scroll', scrolled);
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
