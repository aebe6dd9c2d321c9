import { afterEach, expect, it, vi } from 'vitest';
import { secondsUntilResend } from './resend-cooldown';

afterEach(() => {
  vi.useRealTimers();
});

it('counts whole seconds down from a minute to zero', () => {
  vi.useFakeTimers({ now: 100_000 });
  expect([100_000, 99_999, 40_001, 40_000, 0].map(secondsUntilResend)).toEqual([60, 60, 1, 0, 0]);
});
