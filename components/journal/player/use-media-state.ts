import { type RefObject, useEffect, useState } from 'react';

/** A video's state as the controls show it, apart from its current time. */
export interface MediaState {
  paused: boolean;
  /** Whether it has played since it loaded. */
  started: boolean;
  /** Whether it's buffering. */
  waiting: boolean;
  /** Seconds; 0 while unknown. */
  duration: number;
  volume: number;
  muted: boolean;
  speed: number;
  captions: boolean;
}

const EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'canplay',
  'seeking',
  'seeked',
  'loadedmetadata',
  'durationchange',
  'volumechange',
  'ratechange',
  'emptied',
];

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

const INITIAL_STATE: MediaState = {
  paused: true,
  started: false,
  waiting: false,
  duration: 0,
  volume: 1,
  muted: false,
  speed: 1,
  captions: false,
};

/** Returns a video's state, whatever changed it: the controls, the keyboard, the browser or headphones. */
export function useMediaState(video: RefObject<HTMLVideoElement | null>): MediaState {
  const [state, setState] = useState(INITIAL_STATE);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const look = () => setState(readState(player));
    look();
    const stop = new AbortController();
    for (const event of EVENTS) player.addEventListener(event, look, { signal: stop.signal });
    player.textTracks.addEventListener('change', look, { signal: stop.signal });
    return () => stop.abort();
  }, [video]);
  return state;
}

/** Returns a video's current time in whole seconds, so that components render once a second. */
export function useCurrentSecond(video: RefObject<HTMLVideoElement | null>): number {
  const [second, setSecond] = useState(0);
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const look = () => setSecond(Math.floor(player.currentTime));
    look();
    player.addEventListener('timeupdate', look);
    player.addEventListener('seeking', look);
    return () => {
      player.removeEventListener('timeupdate', look);
      player.removeEventListener('seeking', look);
    };
  }, [video]);
  return second;
}
