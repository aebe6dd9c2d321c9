import { type RefObject, useEffect, useState } from 'react';

/** How long until idle controls hide, in milliseconds. */
const IDLE_DELAY = 2500;

/** A focused control, or an open panel. */
const IN_USE_SELECTOR = ':focus-visible:not(video), [aria-expanded="true"]';

/** Returns whether a playing video is idle: no pointer moves over it and no control has keyboard focus. */
export function useIdle(box: RefObject<HTMLElement | null>, playing: boolean): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || !playing) return;
    let timer: ReturnType<typeof setTimeout>;
    const rest = () => {
      clearTimeout(timer);
      if (element.querySelector(IN_USE_SELECTOR)) timer = setTimeout(rest, IDLE_DELAY);
      else setIdle(true);
    };
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(rest, IDLE_DELAY);
    };
    wake();
    const stop = new AbortController();
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
      element.addEventListener(event, wake, { signal: stop.signal });
    }
    const leave = ({ pointerType }: PointerEvent) => {
      // A finger that's lifted leaves as well.
      if (pointerType !== 'touch') rest();
    };
    element.addEventListener('pointerleave', leave, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
      setIdle(false);
    };
  }, [box, playing]);
  return idle;
}
