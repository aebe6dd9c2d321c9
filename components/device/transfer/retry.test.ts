import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { retry, retryDelay } from './retry';
import { PartError, StorageError, UPLOAD_PROBLEMS, type UploadProblem } from './upload-problem';

const PART_URL = 'http://storage.test/bucket/key?partNumber=1';
const unavailable = (retryAfter: number | null = null) =>
  new ApiError(503, 'unavailable', 'Try again in a moment.', {}, retryAfter);

let page: EventTarget & { visibilityState?: string };
let problems: (UploadProblem | null)[];
/** When each attempt began, in milliseconds from the start. */
let attempts: number[];
let wakeUps: EventTarget;
let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  // The longest waits: 1, 2, 4, 8, 16, then 30 s.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  page = new EventTarget();
  page.visibilityState = 'visible';
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { onLine: true });
  // Storage and the site answer.
  vi.stubGlobal('fetch', async () => new Response());
  [problems, attempts] = [[], []];
  [wakeUps, controller] = [new EventTarget(), new AbortController()];
});

afterEach(() => {
  controller.abort(new Error('the test is over'));
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Retries work that fails with these errors in turn, and with the last one from then on; null succeeds. */
function start(...errors: (Error | null)[]): Promise<unknown> {
  const work = async () => {
    const error = errors[Math.min(attempts.length, errors.length - 1)];
    attempts.push(Date.now());
    if (error) throw error;
  };
  const onProblem = (problem: UploadProblem | null) => void problems.push(problem);
  const done = retry(work, { onProblem, wakeUps }, controller.signal);
  done.catch(() => {});
  return done;
}

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([
  [0, 500, 1000],
  [3, 4000, 8000],
  [5, 15_000, 30_000],
  [60, 15_000, 30_000],
])('waits longer after each failed attempt (%i), up to 30 s', (attempt, least, most) => {
  expect([retryDelay(attempt, 0), retryDelay(attempt, 1)]).toEqual([least, most]);
});

it('asks a service that is down a few times a minute', async () => {
  void start(unavailable());
  await passes(600_000);
  expect(attempts.slice(0, 7)).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000]);
  expect(attempts).toHaveLength(24);
});

it('starts over with short waits once it gets further', async () => {
  let fails = 0;
  const work = async (progressed: () => void) => {
    attempts.push(Date.now());
    if (fails === 5) progressed();
    fails += 1;
    throw unavailable();
  };
  void retry(work, { onProblem: () => {} }, controller.signal).catch(() => {});
  await passes(120_000);
  expect(attempts.slice(4, 8)).toEqual([15_000, 31_000, 32_000, 34_000]);
});

describe('a wait', () => {
  it('lasts as long as the server asks', async () => {
    void start(unavailable(60), null);
    await passes(59_999);
    page.dispatchEvent(new Event('online'));
    await passes(0);
    expect(attempts).toHaveLength(1);
    await passes(1);
    expect(attempts).toHaveLength(2);
  });

  it('ends when the network is back', async () => {
    void start(...Array.from({ length: 5 }, () => unavailable()));
    await passes(16_000);
    const before = attempts.length;
    page.dispatchEvent(new Event('online'));
    await passes(0);
    expect(attempts).toHaveLength(before + 1);
  });

  it('ends when the user asks, however long the server wanted it to last', async () => {
    void start(unavailable(60), null);
    await passes(10);
    wakeUps.dispatchEvent(new Event('retry'));
    await passes(0);
    expect(attempts).toEqual([0, 10]);
  });

  it('ends when the page is seen again, but not with each switch of tabs', async () => {
    void start(unavailable());
    await passes(16_000);
    const before = attempts.length;
    for (let n = 0; n < 20; n += 1) {
      page.dispatchEvent(new Event('visibilitychange'));
      await passes(0);
    }
    expect(attempts).toHaveLength(before + 1);
  });

  it('ends when the upload is canceled', async () => {
    const done = start(unavailable());
    await passes(10);
    controller.abort(new Error('canceled'));
    await expect(done).rejects.toThrow('canceled');
    expect(attempts).toHaveLength(1);
  });
});

describe('the problem', () => {
  it.each([
    ['a full disk', new PartError(PART_URL, 507, 'XMinioStorageFull', true), UPLOAD_PROBLEMS.storageFull],
    ['a full bucket', new PartError(PART_URL, 403, 'QuotaExceeded', true), UPLOAD_PROBLEMS.storageFull],
    [
      'a rejected signature',
      new PartError(PART_URL, 403, 'AccessDenied', true),
      UPLOAD_PROBLEMS.storageRefused,
    ],
    ['a preflight that fails', new PartError(PART_URL, 0, '', false), UPLOAD_PROBLEMS.storageRefusesSite],
  ])('of %s makes an upload fail after a few attempts', async (_, error, problem) => {
    const done = start(error);
    await passes(10_000);
    const failure = await done.catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(StorageError);
    expect(failure).toMatchObject({ problem });
    expect(attempts).toHaveLength(4);
  });

  it('makes it fail only if nothing else goes wrong in between', async () => {
    const refused = new PartError(PART_URL, 403, 'AccessDenied', true);
    const three = [refused, refused, refused];
    const done = start(...three, unavailable(), ...three, null);
    await passes(200_000);
    await done;
    expect(attempts).toHaveLength(8);
  });

  it.each([
    [
      'storage that has an error',
      new PartError(PART_URL, 500, 'InternalError', true),
      UPLOAD_PROBLEMS.storageDown,
    ],
    [
      'storage that is slow',
      new PartError(PART_URL, 400, 'RequestTimeout', true),
      UPLOAD_PROBLEMS.storageDown,
    ],
    ['a broken connection', new PartError(PART_URL, 0, '', true), UPLOAD_PROBLEMS.offline],
    ['a service that is down', unavailable(), UPLOAD_PROBLEMS.serviceDown],
    ['no answer', new ApiError(0, 'network', 'Network Error'), UPLOAD_PROBLEMS.offline],
  ])('of %s is waited for, however long it lasts', async (_, error, problem) => {
    const done = start(...Array.from({ length: 30 }, () => error), null);
    await passes(1_000_000);
    await done;
    expect(attempts).toHaveLength(31);
    expect(new Set(problems)).toEqual(new Set([problem, null]));
    expect(problems.at(-1)).toBeNull();
  });

  it.each([
    ['storage', ['storage.test'], UPLOAD_PROBLEMS.storageDown],
    ['anything', ['storage.test', 'manifest'], UPLOAD_PROBLEMS.offline],
  ])('is told apart when %s doesn’t answer', async (_, silent, problem) => {
    vi.stubGlobal('fetch', async (url: string | URL) => {
      if (silent.some((part) => String(url).includes(part))) throw new TypeError('Failed to fetch');
      return new Response();
    });
    void start(new PartError(PART_URL, 0, '', false));
    await passes(0);
    expect(problems).toEqual([problem]);
  });

  it('is passed on if a retry can’t help', async () => {
    const error = new ApiError(403, 'quota_reached', 'Full.');
    await expect(start(error)).rejects.toBe(error);
    expect(attempts).toHaveLength(1);
  });
});
