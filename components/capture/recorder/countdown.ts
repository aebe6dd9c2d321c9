import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const COUNTDOWN_KEY = 'daylight-countdown';
/** The first number, and how long each one shows, in milliseconds. */
const COUNT_FROM = 3;
const TICK_INTERVAL = 800;

/** Returns whether recordings start with a countdown on this device; on by default. */
export const isCountdownEnabled = (): boolean => getDeviceSetting(COUNTDOWN_KEY) !== 'off';
export const setCountdownEnabled = (wanted: boolean): void =>
  setDeviceSetting(COUNTDOWN_KEY, wanted ? null : 'off');

export type Countdown = ReturnType<typeof startCountdown>;

/** Counts down from three and calls `tick` with each number. */
export function startCountdown(tick: (left: number) => void) {
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
    /** Resolves to whether to start recording; false if the countdown was canceled. */
    done,
    finish(begin: boolean): void {
      clearTimeout(timer);
      resolve(begin);
    },
  };
}
