import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { type Account, signUp } from '@/e2e/accounts';
import type { Mailbox } from '@/e2e/mailbox';
import { projectRoot } from '@/local/up/data-dir';
import type { Browser, Tab } from './browser';

/** A person with a browser. */
export interface Person {
  account: Account;
  browser: Browser;
  /** How often something failed that they tried again by hand, by what they read. */
  retries: Record<string, number>;
}

/** How many people sign up at once. */
const SIGN_UPS = 4;

/** Signs people up; the first ones get the smallest plan. */
export async function signUpPeople(options: {
  count: number;
  smallPlans: number;
  url: string;
  mailbox: Mailbox;
  env: Record<string, string>;
  open(api: Account['api']): Promise<Browser>;
}): Promise<Person[]> {
  const { count, smallPlans, url, mailbox, env, open } = options;
  const limit = pLimit(SIGN_UPS);
  return limit.map(Array.from({ length: count }), async (_, index) => {
    const account = await signUp(url, mailbox);
    if (index < smallPlans) {
      const args = ['scripts/run.mjs', 'users', 'plan', account.email, 'Free'];
      await promisify(execFile)(process.execPath, args, {
        cwd: projectRoot,
        env: env as NodeJS.ProcessEnv,
      });
    }
    return { account, browser: await open(account.api), retries: {} };
  });
}

const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;

/** Statuses of an answer that says to try again: the site's own, and a proxy's. */
const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500;

/**
 * Does something in a person's browser, and again by hand for as long as an error says to try again.
 * @throws whatever else it throws
 */
export async function insist<T>(
  person: Person,
  work: (tab: Tab) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    try {
      return await person.browser.run(work);
    } catch (error) {
      const { status, message } = error as { status?: number; message: string };
      if (status === undefined || !isPassing(status)) throw error;
      signal.throwIfAborted();
      const what = `${status}: ${message}`;
      person.retries[what] = (person.retries[what] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** What a person has changed on an entry, as the site confirmed it. */
export interface Edits {
  title: string;
  note: string;
}

/** Renames an entry, adds a note, and searches. The note is sent again with the same id if its answer is lost. */
export async function editEntry(
  person: Person,
  entryId: string,
  title: string,
  signal: AbortSignal,
): Promise<Edits> {
  const edits = { title: `${title}, renamed`, note: `About ${title}` };
  const noteId = randomUUID();
  await insist(person, (tab) => tab.renameEntry(entryId, edits.title), signal);
  await insist(person, (tab) => tab.addNote(entryId, edits.note, noteId), signal);
  await insist(person, (tab) => tab.searchEntries(title), signal);
  return edits;
}
