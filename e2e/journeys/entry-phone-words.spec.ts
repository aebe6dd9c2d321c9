import type { Page } from '@playwright/test';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';
import { boxOf, insertLongTranscript, openOnPhone, openPhone, scrollOf, scrollTo } from './phone-steps';
import { button, clip } from './player-steps';

const words = (page: Page) => page.getByRole('group', { name: 'Transcript words' });

test('the page follows the words that are read, until it’s scrolled away from them', async ({
  account,
  app,
  browser,
  signIn,
  upload,
  sql,
  watch,
}) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertLongTranscript(sql, id);
  const { page, context } = await openPhone(
    { account, app, browser, signIn, watch },
    { width: 390, height: 640 },
  );
  const video = await openOnPhone(page, `/entry/${id}`);
  const seek = (seconds: number) =>
    video.evaluate((element: HTMLVideoElement, to) => {
      element.currentTime = to;
    }, seconds);
  const jump = button(page, 'Jump to now');
  const now = page.locator('span.now');
  const nowInView = async () => {
    const { y } = await boxOf(now);
    return y > 64 + 80 && y < 640 - 76;
  };

  await test.step('not while the player is watched', async () => {
    await button(page, 'Play').tap();
    await expect(now).toBeVisible();
    await seek(26);
    await expect(now).toHaveText(/kettle|on,|and|nobody|said/);
    expect(await scrollOf(page)).toBe(0);
    await expect(jump).toHaveCount(0);
  });

  await test.step('words that are still to come are lighter', async () => {
    await seek(6);
    const color = (nth: number) =>
      words(page)
        .locator('p')
        .nth(nth)
        .evaluate((element) => getComputedStyle(element).color);
    await expect.poll(async () => (await color(0)) === (await color(5))).toBe(false);
    const isNextLighter = () =>
      now.evaluate((word) => {
        const next = word.nextElementSibling;
        return next && getComputedStyle(word).color !== getComputedStyle(next).color;
      });
    // The video plays on, and the last word of a paragraph has none after it.
    await expect.poll(isNextLighter).toBe(true);
  });

  await test.step('but once they’re read', async () => {
    await words(page)
      .locator('p')
      .first()
      .evaluate((element) => element.scrollIntoView());
    const from = await scrollOf(page);
    await expect.poll(nowInView).toBe(true);
    await seek(26);
    await expect.poll(async () => (await scrollOf(page)) > from && (await nowInView())).toBe(true);
    await expect(jump).toHaveCount(0);
  });

  await test.step('and again after Jump to now', async () => {
    await scrollTo(page, (await scrollOf(page)) - 400);
    await expect(jump).toBeVisible();
    await jump.tap();
    await expect(jump).toHaveCount(0);
    await expect.poll(nowInView).toBe(true);
  });
  await context.close();
});

test('a transcript is corrected under a bar with what changed', async ({
  account,
  app,
  browser,
  signIn,
  upload,
  sql,
  watch,
}) => {
  const { id } = await upload(await clip(), { wait: 'transcript' });
  await insertLongTranscript(sql, id);
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  await openOnPhone(page, `/entry/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).tap();
  const area = page.getByRole('textbox', { name: 'Transcript text' });
  await expect(page.getByText('No changes')).toBeVisible();
  expect((await boxOf(area)).width).toBeGreaterThanOrEqual(370);
  const text = await area.inputValue();
  await area.fill(text.replaceAll('bread', 'cake').replace('frost', 'snow'));
  await expect(page.getByText('3 changes')).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
  const save = button(page, 'Save');
  await expect.poll(async () => (await boxOf(save)).y).toBeLessThan(240);
  await expectAccessible(page);
  await save.tap();
  await expect(words(page)).toContainText('the snow on the car');
  await context.close();
});

test('links lead to the entries before and after, in the journal’s order', async ({
  account,
  app,
  browser,
  signIn,
  sql,
  watch,
}) => {
  const userId = await userIdOf(sql, account.email);
  const ids: string[] = [];
  for (const [title, date] of [
    ['The oldest', '2026-01-01'],
    ['The morning', '2026-01-02'],
    ['The evening', '2026-01-02'],
  ] as const) {
    ids.push(await insertEntry(sql, userId, { title, date, videoStatus: 'failed' }));
  }
  const { page, context } = await openPhone({ account, app, browser, signIn, watch });
  await page.goto(`/entry/${ids[1]}`);
  const links = page.getByRole('navigation', { name: 'Previous and next entry' });
  await expect(links.getByRole('link', { name: 'Previous entry' })).toContainText('The oldest01/01/2026');
  await links.getByRole('link', { name: 'Next entry' }).tap();
  await expect(page.getByRole('heading', { name: 'The evening' })).toBeAttached();
  await expect(page).toHaveURL(`/entry/${ids[2]}/The%20evening`);
  await expect(links.getByRole('link')).toHaveCount(1);
  await links.getByRole('link', { name: 'Previous entry' }).tap();
  await expect(page.getByRole('heading', { name: 'The morning' })).toBeAttached();
  await context.close();
});
