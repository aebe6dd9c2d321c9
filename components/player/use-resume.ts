import { type RefObject, useCallback, useEffect, useState } from 'react';
import { accountValue, setAccountValue } from '@/components/ui/browser-storage';

/** Seconds: nearer than this to the beginning or the end there is nothing to resume. */
const EDGE = 5;

const isInside = (seconds: number, duration: number) => seconds > EDGE && seconds < duration - EDGE;

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
): { resumedAt: number | null; forget: () => void } {
  const [resumedAt, setResumedAt] = useState<number | null>(null);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const key = `moment:${entryId}`;
    let begun = false;

    const begin = () => {
      begun = true;
      const left = Number(accountValue(owner, key));
      if (startAt !== null) player.currentTime = startAt;
      else if (isInside(left, player.duration) && player.currentTime === 0) {
        player.currentTime = left;
        setResumedAt(left);
      }
    };
    const keep = () => {
      if (!begun) return;
      const left = isInside(player.currentTime, player.duration) ? player.currentTime.toFixed(1) : null;
      setAccountValue(owner, key, left);
    };

    if (player.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else player.addEventListener('loadedmetadata', begin, { once: true });
    player.addEventListener('pause', keep);
    window.addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      keep();
      player.removeEventListener('loadedmetadata', begin);
      player.removeEventListener('pause', keep);
      window.removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
    };
  }, [video, owner, entryId, startAt]);
  const forget = useCallback(() => setResumedAt(null), []);
  return { resumedAt, forget };
}
