import { afterEach, expect, it, vi } from 'vitest';
import { REQUEST_WAIT_MS } from '@/lib/foundation/admission';
import { createTurns } from './one-at-a-time';

afterEach(() => vi.useRealTimers());

const refuse = () => new Error('refused');

/** Starts work that's done when the test says so. */
function startWork(turns: ReturnType<typeof createTurns>, owner: string, log: string[], name = owner) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    log.push(name);
    await ended;
    return name;
  };
  return { end, result: turns.take(owner, work, refuse) };
}

it('does an owner’s work one after the other, and others’ meanwhile', async () => {
  const [turns, log] = [createTurns(), [] as string[]];
  const [first, second, third] = ['1', '2', '3'].map((name) => startWork(turns, 'ada', log, name));
  const other = startWork(turns, 'bob', log);
  await vi.waitFor(() => expect(log).toEqual(['1', 'bob']));
  first?.end();
  expect(await first?.result).toBe('1');
  await vi.waitFor(() => expect(log).toEqual(['1', 'bob', '2']));
  for (const work of [second, third, other]) work?.end();
  expect(await third?.result).toBe('3');
  await other.result;
  expect(turns.size()).toBe(0);
});

it('goes on after work that failed', async () => {
  const turns = createTurns();
  const failing = turns.take('ada', () => Promise.reject(new Error('failed')), refuse);
  const next = turns.take('ada', async () => 'done', refuse);
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});

it('refuses what has waited too long, and never begins it', async () => {
  vi.useFakeTimers();
  const [turns, log] = [createTurns(), [] as string[]];
  const long = startWork(turns, 'ada', log, 'long');
  const late = expect(startWork(turns, 'ada', log, 'late').result).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(REQUEST_WAIT_MS);
  await late;
  long.end();
  await long.result;
  expect(log).toEqual(['long']);
  expect(turns.size()).toBe(0);
});
