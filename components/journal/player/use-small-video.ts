import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';
import type { Entry } from '@/lib/journal/entries/contract';
import { currentConnection, isSlowOrMetered } from './connection';
import type { DataSaver } from './data-saver-switch';
import { usePlayback } from './playback';
import { replaceSource } from './player-commands';
import { createStallMeter, MAX_STALL } from './stall-meter';
import { useVideoEvents } from './use-media-state';

const DATA_SAVER_KEY = 'daylight-data-saver';

/** Why the small version plays: somebody asked for it, or the connection needs it. */
type Reason = 'chosen' | 'connection';

const HINTS = { chosen: 'Plays a smaller picture', connection: 'On because of your connection' };

/** Calls `onSlow` once the connection doesn't keep up with the video. */
function useStalls(onSlow: () => void): void {
  const [meter] = useState(createStallMeter);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const check = () => {
    // Without any connection, the small version would stop playing what's buffered.
    if (navigator.onLine && meter.isTooSlow(performance.now())) onSlow();
  };
  useVideoEvents('waiting playing pause seeking emptied', (video, event) => {
    clearTimeout(timer.current);
    if (event?.type === 'emptied') meter.load();
    if (event?.type === 'seeking') meter.seek();
    if (event?.type === 'pause') meter.pause();
    if (event?.type === 'playing') meter.play();
    if (event?.type !== 'waiting' || video.paused || video.seeking) return;
    meter.wait(performance.now());
    check();
    timer.current = setTimeout(check, MAX_STALL);
  });
}

/**
 * Chooses between a video and its small version: the small one if the person asked for it on this device, or on a slow or
 * metered connection, from the start or after stalls. Changes to it while the video plays on, and back only if the person
 * says so.
 * @param src the video's URL
 * @param small the small version's; empty if there's none
 */
export function useSmallVideo(src: string, small: string) {
  const { run } = usePlayback();
  const [reason, setReason] = useState<Reason | null>(null);
  // Also read by what goes on after a request.
  const current = useRef<Reason | null>(null);
  // Whether the person has chosen since the page was opened, or the small version can't be played.
  const isDecided = useRef(false);
  const hasSmall = small !== '';

  function note(next: Reason | null) {
    current.current = next;
    setReason(next);
  }
  function play(next: Reason | null) {
    if ((next === null) !== (current.current === null)) {
      run((video) => replaceSource(video, next === null ? src : small));
    }
    note(next);
  }
  function playByItself(next: Reason) {
    if (hasSmall && !isDecided.current && current.current === null) play(next);
  }

  const begin = useEffectEvent(() => {
    if (getDeviceSetting(DATA_SAVER_KEY) !== null) playByItself('chosen');
    else if (isSlowOrMetered(currentConnection())) playByItself('connection');
  });
  useEffect(() => {
    if (hasSmall) begin();
  }, [hasSmall]);
  useStalls(() => playByItself('connection'));

  const dataSaver: DataSaver = {
    isOn: reason !== null,
    hint: HINTS[reason ?? 'chosen'],
    change(isOn) {
      isDecided.current = true;
      setDeviceSetting(DATA_SAVER_KEY, isOn ? 'yes' : null);
      play(isOn ? 'chosen' : null);
    },
  };
  return {
    /** What the person can change; absent if there's nothing to choose from. */
    dataSaver: hasSmall ? dataSaver : undefined,
    /** Returns the URL in an entry that was read again of the version that plays. */
    urlIn({ videoUrl, smallVideoUrl }: Pick<Entry, 'videoUrl' | 'smallVideoUrl'>): string {
      if (current.current !== null && smallVideoUrl !== '') return smallVideoUrl;
      note(null);
      return videoUrl;
    },
    /** Stops using the small version, which can't be played. @returns false if it's not what plays */
    dropSmall(): boolean {
      if (current.current === null) return false;
      isDecided.current = true;
      note(null);
      return true;
    },
  };
}
