import { type RefObject, useCallback, useEffect, useState } from 'react';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';

/** Positions this close to the start or the end aren't resumed, in seconds. */
const RESUME_MARGIN = 5;

const isInside = (seconds: number, duration: number) =>
  seconds > RESUME_MARGIN && seconds < duration - RESUME_MARGIN;

/**
 * Saves the playback position in this browser and resumes there, unless the URL has a start time.
 * @param owner the account
 * @returns the position resumed from, in seconds, until it's dismissed; null if playback starts normally
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
  const dismiss = useCallback(() => setResumedAt(null), []);
  return { resumedAt, dismiss };
}
