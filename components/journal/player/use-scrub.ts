import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { seek } from './player-commands';

/**
 * Seeks by dragging: runs one seek at a time, always to the latest position, pauses the video meanwhile and resumes it
 * on release.
 */
export function useScrub(video: RefObject<HTMLVideoElement | null>) {
  const dragging = useRef(false);
  const wanted = useRef<number | null>(null);
  const resumeOnRelease = useRef(false);

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const next = () => {
      if (wanted.current !== null) seek(player, wanted.current);
      wanted.current = null;
    };
    player.addEventListener('seeked', next);
    return () => player.removeEventListener('seeked', next);
  }, [video]);

  return useMemo(
    () => ({
      /** Whether the bar is being dragged. */
      held: dragging,
      hold() {
        dragging.current = true;
        resumeOnRelease.current = video.current?.paused === false;
        video.current?.pause();
      },
      to(seconds: number) {
        const player = video.current;
        if (!player) return;
        if (player.seeking) wanted.current = seconds;
        else seek(player, seconds);
      },
      release() {
        dragging.current = false;
        if (resumeOnRelease.current) video.current?.play().catch(() => {});
        resumeOnRelease.current = false;
      },
    }),
    [video],
  );
}
