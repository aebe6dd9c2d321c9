import { expect, it } from 'vitest';
import { createTransferRate } from './transfer-rate';

/** Records a transfer of `rate` bytes a second every 200 ms. @returns the bytes sent, and the time at its end */
function send(
  pace: ReturnType<typeof createTransferRate>,
  from: [sent: number, now: number],
  rate: number,
  seconds: number,
) {
  const [sent, now] = from;
  for (let ms = 200; ms <= seconds * 1000; ms += 200) pace.record(sent + (rate * ms) / 1000, now + ms);
  return [sent + rate * seconds, now + seconds * 1000] as [number, number];
}

it('estimates the time left once it has enough samples', () => {
  const pace = createTransferRate();
  pace.record(0, 0);
  const at = send(pace, [0, 0], 1000, 2);
  expect(pace.secondsLeft(100_000)).toBeNull();
  send(pace, at, 1000, 8);
  expect(pace.secondsLeft(100_000)).toBeCloseTo(90, 0);
});

it('stays stable through a short stall and ignores waits for the network', () => {
  const pace = createTransferRate();
  pace.record(0, 0);
  let at = send(pace, [0, 0], 1000, 30);
  at = send(pace, at, 0, 2);
  expect(pace.secondsLeft(130_000)).toBeLessThan(130);
  pace.record(at[0] - 500, at[1] + 60_000);
  expect(pace.secondsLeft(130_000)).toBeLessThan(130);
});
