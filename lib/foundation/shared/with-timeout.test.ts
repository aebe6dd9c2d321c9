import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withTimeout } from './with-timeout';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});

it('returns what comes in time, and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('answer'), 1000, () => 'late')).toBe('answer');
  expect(vi.getTimerCount()).toBe(0);
});

it('rejects with what it waits for, and leaves no timer', async () => {
  const failing = Promise.reject(new Error('refused'));
  await expect(withTimeout(failing, 1000, () => 'late')).rejects.toThrow('refused');
  expect(vi.getTimerCount()).toBe(0);
});

it('returns something else once the time is up', async () => {
  let settled = false;
  const result = withTimeout(never, 1000, () => 'late').finally(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe('late');
});

it('throws once the time is up', async () => {
  const result = withTimeout(never, 1000, () => {
    throw new Error('too late');
  });
  const thrown = expect(result).rejects.toThrow('too late');
  await vi.advanceTimersByTimeAsync(1000);
  await thrown;
});
