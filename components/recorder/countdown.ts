import { deviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const KEY = 'daylight-countdown';
/** What it counts from, and how long each number stands: a breath, in milliseconds. */
const FROM = 3;
const BEAT = 800;

/** Whether a recording begins with a countdown on this device; it does until somebody switches it off. */
export const wantsCountdown = (): boolean => deviceSetting(KEY) !== 'off';
export const rememberCountdown = (wanted: boolean): void => setDeviceSetting(KEY, wanted ? null : 'off');

export interface Countdown {
  /** True when the recording may begin, false when it was called off. */
  done: Promise<boolean>;
  end(begin: boolean): void;
}

/** Counts down from three; `tick` gets each number when it is due. */
export function countDown(tick: (left: number) => void): Countdown {
  let resolve: (begin: boolean) => void = () => {};
  const done = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  let timer: ReturnType<typeof setTimeout>;
  const step = (left: number) => {
    if (left === 0) return resolve(true);
    tick(left);
    timer = setTimeout(step, BEAT, left - 1);
  };
  step(FROM);
  return {
    done,
    end(begin) {
      clearTimeout(timer);
      resolve(begin);
    },
  };
}
