import { type RefObject, useEffect } from 'react';

/** Returns the end of the buffered range around the current time, as a fraction of the duration. */
function bufferedFraction({ buffered, currentTime, duration }: HTMLVideoElement): number {
  for (let range = 0; range < buffered.length; range += 1) {
    const end = buffered.end(range);
    if (buffered.start(range) <= currentTime && currentTime <= end) return end / duration;
  }
  return 0;
}

/**
 * Updates an element's `--at` and `--loaded` outside React, since they change several times a second.
 * @param held whether the position is being dragged, so that only the drag moves it
 */
export function useProgress(
  video: RefObject<HTMLVideoElement | null>,
  element: RefObject<HTMLElement | null>,
  held?: RefObject<boolean>,
): void {
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const stop = new AbortController();
    const show = () => {
      const { duration, currentTime } = player;
      if (!element.current || !(duration > 0)) return;
      if (!held?.current) element.current.style.setProperty('--at', String(currentTime / duration));
      element.current.style.setProperty('--loaded', String(bufferedFraction(player)));
    };
    show();
    for (const event of ['timeupdate', 'seeking', 'seeked', 'progress', 'durationchange', 'ended']) {
      player.addEventListener(event, show, { signal: stop.signal });
    }
    return () => stop.abort();
  }, [video, element, held]);
}
