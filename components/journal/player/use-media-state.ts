import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { usePlayback } from './playback';

/** The events that change a video's state. */
const EVENTS =
  'play pause playing waiting canplay seeking seeked loadedmetadata durationchange volumechange ratechange emptied';

const INITIAL_STATE = {
  paused: true,
  /** Whether it has played since it loaded. */
  started: false,
  /** Whether it's buffering. */
  waiting: false,
  /** Seconds; 0 while unknown. */
  duration: 0,
  volume: 1,
  muted: false,
  speed: 1,
  captions: false,
};

/** A video's state as the controls show it, apart from its current time. */
export type MediaState = typeof INITIAL_STATE;

function readState(video: HTMLVideoElement): MediaState {
  const { paused, duration, volume, muted, playbackRate, readyState } = video;
  return {
    paused,
    started: !paused || video.played.length > 0,
    waiting: readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !video.ended && (!paused || video.seeking),
    duration: Number.isFinite(duration) ? duration : 0,
    volume,
    muted: muted || volume === 0,
    speed: playbackRate,
    captions: video.textTracks[0]?.mode === 'showing',
  };
}

/** Returns the video's state, whatever changed it: the controls, the keyboard, the browser or headphones. */
export function useMediaState(): MediaState {
  const { video } = usePlayback();
  const [state, setState] = useState(INITIAL_STATE);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const look = () => setState(readState(player));
    look();
    const stop = new AbortController();
    for (const event of EVENTS.split(' ')) player.addEventListener(event, look, { signal: stop.signal });
    player.textTracks.addEventListener('change', look, { signal: stop.signal });
    return () => stop.abort();
  }, [video]);
  return state;
}

/**
 * Calls a listener with the video, on each event, and at first, without one.
 * @param events names of events, with spaces in between
 */
export function useVideoEvents(
  events: string,
  onEvent: (video: HTMLVideoElement, event: Event | null) => void,
): void {
  const { video } = usePlayback();
  const look = useEffectEvent(onEvent);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const stop = new AbortController();
    for (const event of events.split(' ')) {
      player.addEventListener(event, (one) => look(player, one), { signal: stop.signal });
    }
    look(player, null);
    return () => stop.abort();
  }, [video, events]);
}

/** Returns the video's current time in whole seconds, so that components render once a second. */
export function useCurrentSecond(): number {
  const [second, setSecond] = useState(0);
  useVideoEvents('timeupdate seeking', ({ currentTime }) => setSecond(Math.floor(currentTime)));
  return second;
}

/** Returns the end of the buffered range around the current time, as a fraction of the duration. */
function bufferedFraction({ buffered, currentTime, duration }: HTMLVideoElement): number {
  for (let range = 0; range < buffered.length; range += 1) {
    const end = buffered.end(range);
    if (buffered.start(range) <= currentTime && currentTime <= end) return end / duration;
  }
  return 0;
}

/**
 * Updates an element's `--at` and `--loaded` outside React, since they change several times a second.
 * @param held whether the position is being dragged, so that only the drag moves it
 */
export function useProgress(element: RefObject<HTMLElement | null>, held?: RefObject<boolean>): void {
  useVideoEvents('timeupdate seeking seeked progress durationchange ended', (player) => {
    const { duration, currentTime } = player;
    if (!element.current || !(duration > 0)) return;
    if (!held?.current) element.current.style.setProperty('--at', String(currentTime / duration));
    element.current.style.setProperty('--loaded', String(bufferedFraction(player)));
  });
}
