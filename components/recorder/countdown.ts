import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const STORAGE_KEY = 'daylight-countdown';
/** What it counts from, and how long each number stands: a breath, in milliseconds. */
const COUNT_FROM = 3;
const TICK_INTERVAL = 800;

/** Whether a recording begins with a countdown on this device; it does until somebody switches it off. */
export const isCountdownEnabled = (): boolean => getDeviceSetting(STORAGE_KEY) !== 'off';
export const setCountdownEnabled = (wanted: boolean): void =>
  setDeviceSetting(STORAGE_KEY, wanted ? null : 'off');

export interface Countdown {
  /** True when the recording may begin, false when it was called off. */
  done: Promise<boolean>;
  finish(begin: boolean): void;
}

/** Counts down from three; `tick` gets each number when it is due. */
export function startCountdown(tick: (left: number) => void): Countdown {
  let resolve: (begin: boolean) => void = () => {};
  const done = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  let timer: ReturnType<typeof setTimeout>;
  const step = (left: number) => {
    if (left === 0) return resolve(true);
    tick(left);
    timer = setTimeout(step, TICK_INTERVAL, left - 1);
  };
  step(COUNT_FROM);
  return {
    done,
    finish(begin) {
      clearTimeout(timer);
      resolve(begin);
    },
  };
}
