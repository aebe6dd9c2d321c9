import { useEffect, useRef, useState } from 'react';

/** A moment of a video, in seconds. */
export interface Moment {
  start: number;
  end: number;
}

/** How long to go on after the last word, in seconds. */
const AFTER = 0.4;

/**
 * Plays a moment of a video, from its first word to its last. Nothing loads before it's played the first time: until
 * then, `isOpen` is false, and there needs to be no video.
 * @param onTime called with the current time on every frame while it plays
 */
export function useMoment({ start, end }: Moment, onTime: (seconds: number) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  const report = useRef(onTime);
  report.current = onTime;

  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function look() {
      const player = video.current;
      if (!player) return;
      if (player.currentTime >= end + AFTER) player.pause();
      report.current(player.currentTime);
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, end]);

  function play() {
    const player = video.current;
    if (!player) return;
    const { currentTime } = player;
    if (currentTime < start - AFTER || currentTime >= end) player.currentTime = start;
    // A browser may refuse, and the button still says "Play" then.
    player.play().catch(() => {});
  }

  return {
    isOpen,
    isPlaying,
    toggle() {
      if (!isOpen) setIsOpen(true);
      else if (video.current?.paused) play();
      else video.current?.pause();
    },
    /** The properties of the video element, which is shown once the moment is open. */
    video: {
      ref: video,
      playsInline: true,
      preload: 'metadata',
      onLoadedMetadata: play,
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
      onError: () => setIsOpen(false),
    } as const,
  };
}
