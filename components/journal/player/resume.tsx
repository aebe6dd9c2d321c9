import { useCallback, useEffect, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { getAccountValue, setAccountValue } from '@/components/ui/browser-storage';
import { usePlayback } from './playback';

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
  owner: string,
  entryId: string,
  startAt: number | null,
): { resumedAt: number | null; dismiss: () => void } {
  const { video } = usePlayback();
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

    const stop = new AbortController();
    const { signal } = stop;
    if (player.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else player.addEventListener('loadedmetadata', begin, { once: true, signal });
    player.addEventListener('pause', savePosition, { signal });
    window.addEventListener('pagehide', savePosition, { signal });
    document.addEventListener('visibilitychange', savePosition, { signal });
    return () => {
      savePosition();
      stop.abort();
    };
  }, [video, owner, entryId, startAt]);
  const dismiss = useCallback(() => setResumedAt(null), []);
  return { resumedAt, dismiss };
}

/** How long the notice stays once the video plays, in milliseconds. */
const SHOW_FOR = 6000;

/** Says that playback resumed where it was left, and offers to start over. */
export function ResumeNotice({
  at,
  onDone,
}: {
  /** Seconds. */
  at: number;
  onDone: () => void;
}) {
  const { video } = usePlayback();
  useEffect(() => {
    const player = video.current;
    let timer: ReturnType<typeof setTimeout>;
    const count = () => {
      timer = setTimeout(onDone, SHOW_FOR);
    };
    player?.addEventListener('playing', count, { once: true });
    return () => {
      clearTimeout(timer);
      player?.removeEventListener('playing', count);
    };
  }, [video, onDone]);

  return (
    <div className="player-notice always-dark absolute top-3 left-3 flex min-h-11 items-center gap-1 rounded-pill bg-black/75 pl-4 text-14 text-white">
      <span role="status">Resumed at {formatDuration(at)}</span>
      <button
        type="button"
        onClick={() => {
          if (video.current) video.current.currentTime = 0;
          onDone();
        }}
        className="min-h-11 rounded-pill px-3.5 font-semibold underline underline-offset-3 hover:text-accent"
      >
        Start over
      </button>
    </div>
  );
}
