import { type RefObject, useEffect } from 'react';

/** Pixels that the controls take, with some air. */
const CONTROLS_HEIGHT = 110;
/** The height of a line of captions as a share of the video's (WebVTT, 7.4: 5.33vh). */
const LINE_HEIGHT = 0.0533;

/** Moves captions up while controls lie over the place where they are. */
export function useRaisedCaptions(video: RefObject<HTMLVideoElement | null>, raised: boolean): void {
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const move = () => {
      // Lines are counted from the bottom, and one more leaves room for captions of two.
      const line = raised ? -Math.ceil(CONTROLS_HEIGHT / (player.clientHeight * LINE_HEIGHT)) - 1 : 'auto';
      for (const cue of player.textTracks[0]?.cues ?? []) if (cue instanceof VTTCue) cue.line = line;
    };
    move();
    const stop = new AbortController();
    player.textTracks.addEventListener('change', move, { signal: stop.signal });
    // Tracks load when they are first shown; their events do not bubble.
    player.addEventListener('load', move, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, [video, raised]);
}
