import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { keyOf } from '@/components/ui/key-of';

/** How long after the last change the timeline moves, in milliseconds. */
const MOVE_DELAY = 150;

/** How many weeks Page Up and Page Down go. */
const PAGE_WEEKS = 4;

/** Returns the week under a point: the newest is at the top, or on the right if the year lies down. */
function weekAt({ clientX, clientY }: { clientX: number; clientY: number }, track: Element, weeks: number) {
  const { left, top, right, bottom, width, height } = track.getBoundingClientRect();
  const share = width > height ? (right - clientX) / (right - left) : (clientY - top) / (bottom - top);
  const row = Math.min(weeks - 1, Math.max(0, Math.floor(share * weeks)));
  return weeks - 1 - row;
}

/** Returns the week that a key leads to: the arrows go to the next one that has entries. */
function weekOfKey(key: string, week: number, busy: readonly number[]): number | undefined {
  const newer = busy.filter((one) => one > week);
  const older = busy.filter((one) => one < week).reverse();
  return {
    ArrowUp: newer[0],
    ArrowRight: newer[0],
    ArrowDown: older[0],
    ArrowLeft: older[0],
    PageUp: newer.find((one) => one >= week + PAGE_WEEKS) ?? newer.at(-1),
    PageDown: older.find((one) => one <= week - PAGE_WEEKS) ?? older.at(-1),
    Home: busy[0],
    End: busy.at(-1),
  }[key];
}

/**
 * Moves the lens of a year by the keyboard, by dragging it, and by pressing a week.
 * @param week the newest week that's on the screen
 * @param busy the weeks that have entries, oldest first
 * @param onMove called with a week shortly after the last change
 * @returns the week where the lens is, and handlers for the slider and for the track that it moves on
 */
export function useLens(
  week: number,
  weeks: number,
  busy: readonly number[],
  onMove: (week: number) => void,
) {
  /** Where the person has moved it; null while it follows the page. */
  const [target, setTarget] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDragged = useRef(false);
  const shown = target ?? week;

  useEffect(() => {
    const follow = () => setTarget(null);
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal };
    window.addEventListener('wheel', follow, options);
    window.addEventListener('touchmove', follow, options);
    return () => {
      stop.abort();
      clearTimeout(timer.current);
    };
  }, []);

  function moveTo(next: number, delay: number) {
    setTarget(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onMove(next), delay);
  }

  return {
    week: shown,
    isMoved: target !== null,
    slider: {
      onKeyDown(event: KeyboardEvent) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const key = keyOf(event);
        const next = weekOfKey(key, shown, busy);
        if (!/^(Arrow|Page|Home$|End$)/.test(key)) return;
        event.preventDefault();
        if (next !== undefined) moveTo(next, MOVE_DELAY);
      },
    },
    track: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        const isLens = event.target instanceof Element && event.target.closest('[role=slider]') !== null;
        // A finger beside the lens scrolls the year, or presses a week.
        if (event.button !== 0 || (event.pointerType === 'touch' && !isLens)) return;
        isDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        if (!isLens) setTarget(weekAt(event, event.currentTarget, weeks));
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (isDragged.current) setTarget(weekAt(event, event.currentTarget, weeks));
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        if (isDragged.current) moveTo(weekAt(event, event.currentTarget, weeks), 0);
        isDragged.current = false;
      },
      onPointerCancel() {
        isDragged.current = false;
      },
      onClick(event: MouseEvent<HTMLElement>) {
        const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
        if (pointerType === 'touch') moveTo(weekAt(event, event.currentTarget, weeks), 0);
      },
    },
  };
}
