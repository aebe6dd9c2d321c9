import type { Locator, Page } from '@playwright/test';
import type postgres from 'postgres';
import { insertEntry, insertNote, insertTag, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { clip, stateOf } from './player-steps';

const DAY = 86_400_000;

/** Adds an entry for each of so many days up to November 20, 2025. Entry 0 is the newest. */
async function insertDays(sql: postgres.Sql, userId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const date = new Date(Date.UTC(2025, 10, 20) - n * DAY).toISOString().slice(0, 10);
    ids.push(await insertEntry(sql, userId, { title: `Entry ${n}`, date }));
  }
  return ids;
}

const row = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? 0;
const slider = (page: Page) => page.getByRole('slider', { name: 'Weeks in view' });

/** Gives an entry words, a second each from `start` on. */
async function insertWords(sql: postgres.Sql, entryId: string, text: string, start: number) {
  const words = text.split(' ').map((word, index) => [word, start + index / 2, start + index / 2 + 0.4]);
  await sql`insert into transcripts ${sql({ entry_id: entryId, revision: 0, words: sql.json(words) })}`;
}

test('months are summed up, gaps are named, and each entry speaks for itself', async ({
  page,
  account,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  const add = (title: string, date: string) => insertEntry(sql, userId, { title, date });
  const last = await add('The wall', '2025-11-20');
  await add('Same day', '2025-11-20');
  const rain = await add('Rain', '2025-11-12');
  await add('Frost', '2025-10-01');
  await sql`update entries set duration_ms = 600000 where user_id = ${userId}`;
  await insertWords(sql, last, 'The wall is finished, and it leans a little.', 3);
  await insertNote(sql, last);
  await insertNote(sql, last);
  const family = await insertTag(sql, userId, 'Family', [last, rain]);
  await page.goto('/journals');
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Timeline' }).click();
  await expect(page).toHaveURL('/journals?view=timeline');
  const november = page.getByRole('region', { name: 'November 2025' });
  await expect(november.getByText('3 entries · 30 minutes')).toBeVisible();
  await expect(page.getByText('A week without an entry')).toBeVisible();
  await expect(page.getByText('Five weeks without an entry')).toBeVisible();
  await expect(row(page, 'The wall')).toContainText('The wall is finished, and it leans a little.');
  await expect(row(page, 'The wall')).toContainText('2 notes');
  await expect(november.getByText('Thursday', { exact: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'The wall' })).toHaveAttribute(
    'href',
    `/entry/${last}/The%20wall?t=3`,
  );
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: 'Family' }).click();
  await expect(page).toHaveURL(`/journals?tag=${family}&view=timeline`);
  await expect(page.getByRole('status').filter({ hasText: '2 of 4 entries' })).toBeVisible();
  await expect(november.getByText('2 with Family · 20 minutes')).toBeVisible();
  await expect(page.getByText('A week without Family')).toBeVisible();
  await expect(row(page, 'Frost')).toHaveCount(0);
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL('/journals?view=timeline');
  await expect(row(page, 'Frost')).toBeVisible();
});

test('it goes on in both directions, and what’s on the screen stays there', async ({
  page,
  account,
  sql,
}) => {
  await insertDays(sql, await userIdOf(sql, account.email), 160);
  await page.goto('/journals?view=timeline&at=2025-09-21');
  const middle = row(page, 'Entry 60');
  await expect(middle).toBeVisible();
  // Nothing moves until the person does.
  await expect(row(page, 'Entry 59')).toHaveCount(0);
  const before = await topOf(middle);
  await page.getByRole('link', { name: 'Later entries' }).click();
  await expect(row(page, 'Entry 59')).toBeAttached();
  expect(Math.abs((await topOf(middle)) - before)).toBeLessThan(3);
  const titles = page.getByRole('heading', { level: 3 });
  // Down to the end, a screen at a time.
  const oldest = row(page, 'Entry 159');
  while ((await oldest.count()) === 0) {
    await page.mouse.wheel(0, 1500);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(await titles.count()).toBeLessThanOrEqual(120);
  await expect(page.getByRole('link', { name: 'Earlier entries' })).toHaveCount(0);
  // And back up to the newest.
  const newest = row(page, 'Entry 0');
  while ((await newest.count()) === 0) {
    await page.mouse.wheel(0, -1500);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(await titles.count()).toBeLessThanOrEqual(120);
  await expect(page.getByRole('link', { name: 'Later entries' })).toHaveCount(0);
  const all = await titles.allTextContents();
  expect(all).toEqual(all.map((_, index) => `Entry ${index}`));
  // Coming back from an entry, too.
  const deep = row(page, 'Entry 90');
  await deep.scrollIntoViewIfNeeded();
  const left = await topOf(deep);
  await page.getByRole('link', { name: 'Entry 90' }).click();
  await expect(page).toHaveURL(/Entry%2090/);
  await page.goBack();
  await expect(deep).toBeInViewport();
  expect(Math.abs((await topOf(deep)) - left)).toBeLessThan(3);
});

test.describe('the moment of a sentence', () => {
  test('plays with sound when it’s pressed, muted when the mouse rests on it, and one at a time', async ({
    page,
    upload,
    account,
    sql,
  }) => {
    const uploaded = await upload(await clip(), { title: 'Uploaded', date: '2025-01-01' });
    const [keys] = await sql`select video_key from entries where id = ${uploaded.id}`;
    const ids = await insertDays(sql, await userIdOf(sql, account.email), 3);
    await sql`update entries set video_key = ${keys?.video_key}, duration_ms = 30000 where id = any(${ids})`;
    for (const id of ids.slice(0, 2))
      await insertWords(sql, id, 'The wall is finished, and it leans a little.', 8);
    await page.goto('/journals?view=timeline');
    const video = page.locator('video');
    await expect(video).toHaveCount(0);
    const play = row(page, 'Entry 0').getByRole('button', { name: 'Play Entry 0' });
    await play.focus();
    await play.press('Enter');
    await expect.poll(async () => (await stateOf(video)).time).toBeGreaterThan(8);
    expect(await stateOf(video)).toMatchObject({ muted: false });
    expect((await stateOf(video)).time).toBeLessThan(14);
    await expect(row(page, 'Entry 0').locator('.said').first()).toHaveText('The');
    await expect(page.getByRole('button', { name: 'Pause Entry 0' })).toBeFocused();
    await expectAccessibleInEveryAppearance(page);
    await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: 'light' });
    // The mouse may be anywhere by now.
    await page.mouse.move(0, 0);
    await row(page, 'Entry 1').hover();
    await expect(row(page, 'Entry 1').locator('video')).toHaveCount(1);
    await expect(video).toHaveCount(1);
    await expect.poll(async () => (await stateOf(video)).time).toBeGreaterThan(8);
    expect(await stateOf(video)).toMatchObject({ muted: true });
    await page.mouse.move(0, 0);
    await expect(video).toHaveCount(0);
    // Not for people who prefer less motion.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await row(page, 'Entry 1').hover();
    await row(page, 'Entry 0').getByRole('button', { name: 'Play Entry 0' }).click();
    await expect(row(page, 'Entry 0').locator('video')).toHaveCount(1);
    await expect(row(page, 'Entry 1').locator('video')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(video).toHaveCount(0);
    await page.getByRole('link', { name: 'Entry 0' }).press('Enter');
    await expect(page).toHaveURL(/\/entry\/.*\?t=8$/);
  });
});

test('an entry plays under a mouse that moves to it, not one that it moved to or that points at its link', async ({
  page,
  account,
  sql,
}) => {
  await insertDays(sql, await userIdOf(sql, account.email), 60);
  await page.clock.install();
  await page.goto('/journals?view=timeline&at=2025-10-21');
  await page.getByRole('link', { name: 'Later entries' }).click();
  const under = page.locator('.timeline-row:hover');
  await expect(under).toHaveCount(1);
  await page.clock.runFor(2000);
  const playing = page.locator('.timeline-row[data-playing]');
  await expect(playing).toHaveCount(0);
  await page.getByRole('link', { name: 'Entry 30' }).hover();
  await page.clock.runFor(2000);
  await expect(playing).toHaveCount(0);
  await page.getByRole('button', { name: 'Play Entry 30' }).hover();
  await page.clock.runFor(2000);
  await expect(playing).toHaveCount(1);
});

test('the year’s lens moves the timeline by the keyboard and by a press', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (const [title, date] of [
    ['May', '2025-05-05'],
    ['August', '2025-08-05'],
    ['March', '2025-03-05'],
    ['Last year', '2024-12-24'],
  ] as const)
    await insertEntry(sql, userId, { title, date });
  await page.goto('/journals?view=timeline');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /to August 9, 2025$/);
  await slider(page).press('ArrowDown');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /to May 10, 2025$/);
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('May');
  await expect(page).toHaveURL(/at=2025-05-10/);
  await slider(page).press('Home');
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('March');
  await slider(page).press('End');
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('August');
  await page.getByRole('navigation', { name: 'Years' }).getByRole('link', { name: '2024' }).click();
  await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('Last year');
  await expect(page.getByRole('heading', { name: '2024', exact: true })).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('it’s read page by page, and filtered by links', async ({ page, account, sql }) => {
    const userId = await userIdOf(sql, account.email);
    const ids = await insertDays(sql, userId, 45);
    await insertTag(sql, userId, 'Family', ids.slice(40));
    await page.goto('/journals?view=timeline');
    await page.getByRole('link', { name: 'Earlier entries' }).click();
    await expect(row(page, 'Entry 20')).toBeVisible();
    await page.getByRole('link', { name: 'Earlier entries' }).click();
    await expect(row(page, 'Entry 44')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Earlier entries' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Later entries' }).click();
    await expect(row(page, 'Entry 20')).toBeVisible();
    await page.getByRole('link', { name: 'Family' }).first().click();
    await expect(page.getByRole('heading', { level: 3 })).toHaveCount(5);
    await page.getByLabel('Month').selectOption('2025');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page).toHaveURL(/month=2025/);
  });
});
