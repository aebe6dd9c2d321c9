import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '@/lib/contract/client';
import { getEntry } from '@/lib/entries/routes';

/** Seconds that a video must get on after a failure for the next one to count as new. */
const RECOVERED_AFTER = 5;

/**
 * Goes on at the same second when a video fails: its signed address may have expired, the session too, or the video
 * behind it may have been replaced. The first failure is mended by itself, if it can be.
 */
export function usePlaybackRetry(video: RefObject<HTMLVideoElement | null>, entryId: string) {
  const [failed, setFailed] = useState(false);
  const retriedAt = useRef<number | null>(null);

  const retry = useCallback(async () => {
    const player = video.current;
    if (!player) return;
    retriedAt.current = player.currentTime;
    setFailed(false);
    try {
      // Renews the session, and tells the address of what there is to play now.
      const { videoUrl } = await call(getEntry, { params: { id: entryId } });
      // As they are by now: it may have been paused, or sought, meanwhile.
      const { currentTime, paused } = player;
      player.src = videoUrl;
      if (currentTime > 0) player.currentTime = currentTime;
      if (!paused) player.play().catch(() => {});
    } catch {
      setFailed(true);
    }
  }, [video, entryId]);

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const fail = () => (retriedAt.current === null ? void retry() : setFailed(true));
    const resetAfterProgress = () => {
      if (Math.abs(player.currentTime - (retriedAt.current ?? player.currentTime)) > RECOVERED_AFTER)
        retriedAt.current = null;
    };
    // It may have failed before this code ran.
    if (player.error) fail();
    player.addEventListener('error', fail);
    player.addEventListener('timeupdate', resetAfterProgress);
    return () => {
      player.removeEventListener('error', fail);
      player.removeEventListener('timeupdate', resetAfterProgress);
    };
  }, [video, retry]);

  return { failed, retry };
}
