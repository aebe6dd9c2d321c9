import { type RefObject, useEffect } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';

/** How long the notice stays once the video plays, in milliseconds. */
const SHOW_FOR = 6000;

/** Says that playback resumed where it was left, and offers to start over. */
export function ResumeNotice({
  video,
  at,
  onDone,
}: {
  video: RefObject<HTMLVideoElement | null>;
  /** Seconds. */
  at: number;
  onDone: () => void;
}) {
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
