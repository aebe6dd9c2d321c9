'use client';

import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef } from 'react';

interface Playback {
  /** The entry's video element, while there is one. */
  video: RefObject<HTMLVideoElement | null>;
  /** Goes to a moment, in seconds, and plays from there. */
  playFrom: (seconds: number) => void;
}

const PlaybackContext = createContext<Playback | null>(null);

/** Ties the player and everything that follows or steers it, wherever on the page they are. */
export function PlaybackProvider({ children }: { children: ReactNode }) {
  const video = useRef<HTMLVideoElement>(null);
  const playback = useMemo<Playback>(
    () => ({
      video,
      playFrom(seconds) {
        const element = video.current;
        if (!element) return;
        element.currentTime = seconds;
        // Refused when the browser wants another gesture first; its own controls then show that it is paused.
        element.play().catch(() => {});
      },
    }),
    [],
  );
  return <PlaybackContext value={playback}>{children}</PlaybackContext>;
}

export function usePlayback(): Playback {
  const playback = useContext(PlaybackContext);
  if (!playback) throw new Error('usePlayback needs a PlaybackProvider above it');
  return playback;
}
