import type { Account } from '@/e2e/accounts';
import type { Entry } from '@/lib/journal/entries/contract';
import { type BrowserPage, type Engine, type Session, until } from '../page';
import type { Site } from '../site';

/** What a journey gets: a tab of its own, signed in as an account with six entries. */
export interface Visit {
  engine: Engine;
  session: Session;
  page: BrowserPage;
  site: Site;
  account: Account;
  /** The first of them has a transcript. */
  entries: Entry[];
  /** Where it may put files. */
  folder: string;
}

export interface Journey {
  name: string;
  /** @throws Unsupported where the browser or its driver can't @returns what's worth knowing about it */
  run(visit: Visit): Promise<string | undefined> | Promise<void>;
}

/** Logs a tab's browser in by the API. */
export async function signIn(page: BrowserPage, { email, password }: Account): Promise<void> {
  await page.goto('/login');
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/v1/login', { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    { email, password },
  );
  if (status !== 200) throw new Error(`The login answered ${status}.`);
}

const stateOf = (page: BrowserPage) =>
  page.evaluate(() => {
    const video = document.querySelector('video');
    if (!video) throw new Error('There is no video.');
    const { currentTime, paused, readyState, error } = video;
    return { time: currentTime, paused, readyState, error: error && `${error.code} ${error.message}` };
  });

/** Waits until the first video has its length. */
export const waitForVideo = (page: BrowserPage): Promise<unknown> =>
  until(
    'the video has its length',
    () => stateOf(page),
    ({ readyState }) => readyState > 0,
  );

/** Waits until the first video runs. */
export async function expectAdvances(page: BrowserPage): Promise<void> {
  const { time } = await stateOf(page);
  await until(
    'the video runs',
    () => stateOf(page),
    (now) => now.time > time + 0.2 && !now.error,
  );
}

/** Waits until the first video is at a moment, in seconds. */
export const expectAt = (page: BrowserPage, from: number, to: number): Promise<unknown> =>
  until(
    `the video is between ${from} and ${to} s`,
    () => stateOf(page),
    ({ time }) => time >= from && time <= to,
  );
