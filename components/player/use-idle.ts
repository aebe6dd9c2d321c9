import { type RefObject, useEffect, useState } from 'react';

/** Milliseconds without a movement after which the controls of a playing video make room for it. */
const IDLE_DELAY = 2500;

/** The keyboard's place among the controls, or an open panel of theirs. */
const IN_USE_SELECTOR = ':focus-visible:not(video), [aria-expanded="true"]';

/** Whether a playing video is left alone: no pointer moves over it, and the keyboard is not in its controls. */
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
    element.addEventListener('pointerleave', rest, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
      setIdle(false);
    };
  }, [box, playing]);
  return idle;
}
