import { type RefObject, useEffect, useState } from 'react';

/** Pixels, as in player.css: in a narrower player the less used controls go into a panel. */
const COMPACT_WIDTH = 520;

/** How much room the player has, and whether it fills the screen. */
export function usePlayerSize(box: RefObject<HTMLElement | null>): { compact: boolean; full: boolean } {
  const [compact, setCompact] = useState(false);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => setCompact(element.clientWidth < COMPACT_WIDTH));
    watcher.observe(element);
    const look = () => setFull(document.fullscreenElement === element);
    document.addEventListener('fullscreenchange', look);
    return () => {
      watcher.disconnect();
      document.removeEventListener('fullscreenchange', look);
    };
  }, [box]);
  return { compact, full };
}
