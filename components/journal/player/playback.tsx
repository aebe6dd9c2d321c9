'use client';

import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef } from 'react';

interface Playback {
  /** The entry's video element, while there is one. */
  video: RefObject<HTMLVideoElement | null>;
  /** Plays from a time in seconds. */
  playFrom: (seconds: number) => void;
  /** Runs a command on the video, while there is one. */
  run: (command: (video: HTMLVideoElement) => void) => void;
}

const PlaybackContext = createContext<Playback | null>(null);

/** Shares the video with everything on the page that follows or controls it. */
export function PlaybackProvider({ children }: { children: ReactNode }) {
  const video = useRef<HTMLVideoElement>(null);
  const playback = useMemo<Playback>(
    () => ({
      video,
      playFrom(seconds) {
        const element = video.current;
        if (!element) return;
        element.currentTime = seconds;
        // Rejected when the browser requires a user gesture; the controls then show a paused video.
        element.play().catch(() => {});
      },
      run(command) {
        if (video.current) command(video.current);
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
