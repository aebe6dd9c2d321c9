import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCountdown } from './countdown';

describe('the countdown', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows three, two and one, then starts', async () => {
    const shown: number[] = [];
    const { done } = startCountdown((left) => shown.push(left));
    expect(shown).toEqual([3]);
    await vi.runAllTimersAsync();
    expect(shown).toEqual([3, 2, 1]);
    await expect(done).resolves.toBe(true);
  });

  it.each([true, false])('finishes early with %s', async (begin) => {
    const shown: number[] = [];
    const countdown = startCountdown((left) => shown.push(left));
    countdown.finish(begin);
    await expect(countdown.done).resolves.toBe(begin);
    await vi.runAllTimersAsync();
    expect(shown).toEqual([3]);
  });
});
