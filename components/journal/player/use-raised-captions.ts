import { type RefObject, useEffect } from 'react';

/** The height of a caption line as a fraction of the video's (WebVTT, 7.4: 5.33vh). */
const LINE_HEIGHT = 0.0533;

/** Moves captions up while the controls cover them. */
export function useRaisedCaptions(video: RefObject<HTMLVideoElement | null>, raised: boolean): void {
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const move = () => {
      // Negative lines count from the bottom; one more leaves space for two-line captions.
      const controls = raised
        ? (player.parentElement?.querySelector('.player-controls')?.clientHeight ?? 0)
        : 0;
      const line = raised ? -Math.ceil(controls / (player.clientHeight * LINE_HEIGHT)) - 1 : 'auto';
      for (const cue of player.textTracks[0]?.cues ?? []) if (cue instanceof VTTCue) cue.line = line;
    };
    move();
    const stop = new AbortController();
    player.textTracks.addEventListener('change', move, { signal: stop.signal });
    // Tracks load when first shown, and their events don't bubble.
    player.addEventListener('load', move, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [video, raised]);
}
