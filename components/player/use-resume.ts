import { type RefObject, useCallback, useEffect, useState } from 'react';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';

/** Seconds: nearer than this to the beginning or the end there is nothing to resume. */
const RESUME_MARGIN = 5;

const isInside = (seconds: number, duration: number) =>
  seconds > RESUME_MARGIN && seconds < duration - RESUME_MARGIN;

/**
 * Remembers, in this browser, where a video was left, and goes there unless the address asks for a moment.
 * @param owner the account
 * @returns the second at which it was taken up, until `forget` is called; null when it begins as it is
 */
export function useResume(
  video: RefObject<HTMLVideoElement | null>,
  owner: string,
  entryId: string,
  startAt: number | null,
): { resumedAt: number | null; dismiss: () => void } {
  const [resumedAt, setResumedAt] = useState<number | null>(null);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const key = `moment:${entryId}`;
    let begun = false;

    const begin = () => {
      begun = true;
      const left = Number(getAccountValue(owner, key));
      if (startAt !== null) player.currentTime = startAt;
      else if (isInside(left, player.duration) && player.currentTime === 0) {
        player.currentTime = left;
        setResumedAt(left);
      }
    };
    const savePosition = () => {
      if (!begun) return;
      const left = isInside(player.currentTime, player.duration) ? player.currentTime.toFixed(1) : null;
      setAccountValue(owner, key, left);
    };

    if (player.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else player.addEventListener('loadedmetadata', begin, { once: true });
    player.addEventListener('pause', savePosition);
    window.addEventListener('pagehide', savePosition);
    document.addEventListener('visibilitychange', savePosition);
    return () => {
      savePosition();
      player.removeEventListener('loadedmetadata', begin);
      player.removeEventListener('pause', savePosition);
      window.removeEventListener('pagehide', savePosition);
      document.removeEventListener('visibilitychange', savePosition);
    };
  }, [video, owner, entryId, startAt]);
  const forget = useCallback(() => setResumedAt(null), []);
  return { resumedAt, dismiss: forget };
}
