import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';

/** How many seconds must play after a failure before the next one is retried again. */
const RECOVERED_AFTER = 5;

/**
 * Reloads a failed video at the same position: its signed URL or the session may have expired, or the video may have
 * been replaced. Retries the first failure automatically.
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
      // Renews the session and returns the current URL.
      const { videoUrl } = await call('GET /entry/:id', { params: { id: entryId } });
      // Read after the request, since the user may have paused or seeked meanwhile.
      const { currentTime, paused } = player;
      player.src = videoUrl;
      if (currentTime > 0) player.currentTime = currentTime;
      if (!paused) player.play().catch(() => {});
    } catch (error) {
      logRejected(error);
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
    // It may have failed before hydration.
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
