import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import type postgres from 'postgres';
import type { Account } from '../accounts';
import type { ErrorWatcher } from '../error-watcher';
import { expect } from '../fixtures';
import type { App } from '../running-app';
import { openPlayer, seekBar } from './player-steps';

/** The fixtures that a phone needs. */
interface PhoneFixtures {
  account: Account;
  app: App;
  browser: Browser;
  signIn(page: Page, account: Account): Promise<void>;
  watch: ErrorWatcher;
}

/** Opens a browser like a phone's, with a touch screen, signed in. */
export async function openPhone(
  { account, app, browser, signIn, watch }: PhoneFixtures,
  viewport = { width: 390, height: 844 },
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    baseURL: app.url,
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
    viewport,
  });
  watch.observe(context);
  const page = await context.newPage();
  await signIn(page, account);
  return { page, context };
}

/** Returns where something is on screen. */
export const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It isn’t on screen.');
  return box;
};

/** Scrolls as a finger would: the page can't tell, and isn't told. */
export const scrollTo = (page: Page, top: number) => page.evaluate((to) => window.scrollTo(0, to), top);

export const scrollOf = (page: Page) => page.evaluate(() => window.scrollY);

/** Waits until the controls are there, which hydration brings. */
export async function openOnPhone(page: Page, address: string) {
  const video = await openPlayer(page, address);
  await expect(seekBar(page)).toBeVisible();
  return video;
}

const SENTENCES = [
  'I keep putting this one off, so I am just going to say it out loud and see what happens.',
  'We did not talk about the big thing. We talked about the frost on the car, and his knee, and the bakery.',
  'And I realized that was the conversation. That was the whole conversation, and it was enough.',
  'So tomorrow I will drive out there with bread, and we will look at the car together and say nothing at all.',
  'Marcus asked if I was nervous, and I said no, and then I told him about the coat, and the bread.',
  'He put the kettle on, and nobody said anything for a while, which was fine with everyone who was there.',
];

/** Seconds that each of the paragraphs of {@link insertLongTranscript} takes. */
const PARAGRAPH_SECONDS = 5;

/** Gives an entry a transcript of six paragraphs, one every five seconds. */
export async function insertLongTranscript(sql: postgres.Sql, id: string): Promise<void> {
  const words = SENTENCES.flatMap((sentence, paragraph) => {
    const spoken = sentence.split(' ');
    const each = (PARAGRAPH_SECONDS - 1.5) / spoken.length;
    return spoken.map((word, index) => {
      const start = paragraph * PARAGRAPH_SECONDS + index * each;
      return [word, Number(start.toFixed(3)), Number((start + each).toFixed(3))];
    });
  });
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${JSON.stringify(words)}::text::jsonb)`;
  await sql`update entries set transcript_status = 'completed', language = 'en' where id = ${id}`;
}
