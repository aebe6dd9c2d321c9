import type { Locator, Page } from '@playwright/test';
import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertTranscript } from './entry-steps';

const NARROW_WIDTH = 320;

/** Everything that lies over a page: lists, menus, calendars, dialogs and notices. */
const OVERLAYS = '[role=listbox], [role=menu], [popover], [role=dialog]';

const measureHorizontalExtent = (page: Page) =>
  page.evaluate((layers) => {
    const open = [...document.querySelectorAll(layers)].filter((layer) => layer.checkVisibility());
    const boxes = open.map((layer) => layer.getBoundingClientRect());
    return {
      left: Math.min(0, ...boxes.map(({ left }) => left)),
      right: Math.max(document.documentElement.scrollWidth, ...boxes.map(({ right }) => Math.ceil(right))),
    };
  }, OVERLAYS);

/** Expects that a page doesn't scroll sideways, and that what lies over it is inside the window once it's there. */
async function expectFits(page: Page, what: string): Promise<void> {
  const right = page.viewportSize()?.width;
  await expect
    .poll(() => measureHorizontalExtent(page), { message: `${what} at ${right} px` })
    .toEqual({ left: 0, right });
}

/**
 * Opens whatever a page can open over itself, one after the other. Each time it starts at the top of the page, because the
 * player shows fewer controls further down.
 */
async function expectOpenersFit(page: Page, path: string): Promise<number> {
  // Also those that can't be seen, so that each keeps its place among them while the page scrolls.
  const openers = page.locator('main').locator('[popovertarget], [role=combobox]');
  let opened = 0;
  for (let index = 0; index < (await openers.count()); index += 1) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(page.getByRole('group', { name: 'Small player' })).toBeHidden();
    const opener = openers.nth(index);
    if (!(await opener.isVisible())) continue;
    const name = (await opener.getAttribute('aria-label')) ?? `opener ${index}`;
    await open(opener);
    await expectFits(page, `${path}, ${name}`);
    await page.keyboard.press('Escape');
    await expect(opener).toHaveAttribute('aria-expanded', 'false');
    opened += 1;
  }
  return opened;
}

/** A press that comes before its page is interactive may open nothing, or what isn't filled yet. */
async function open(opener: Locator): Promise<void> {
  await expect(async () => {
    if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click();
    await expect(opener).toHaveAttribute('aria-expanded', 'true', { timeout: 1000 });
  }).toPass();
}

test('no page and nothing that opens over it is wider than a narrow phone', async ({
  page,
  account,
  api,
  upload,
  sql,
}) => {
  test.slow();
  const userId = await userIdOf(sql, account.email);
  const { id } = await upload(await h264Mp4(), { title: 'Sun '.repeat(49), wait: 'transcript' });
  await insertTranscript(sql, id);
  const taken: string[] = [];
  for (const name of ['Sun', 'Grandmother', 'W'.repeat(50), 'Sea', 'Places', 'Long walks in the afternoon']) {
    const tag = await api.call(createTag, { body: { category_name: name } });
    if (name.length < 15) taken.push(tag.id);
  }
  for (let day = 1; day <= 9; day += 1) await insertEntry(sql, userId, { date: `2025-01-0${day}` });
  await insertEntry(sql, userId, { trashed: true });

  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [NARROW_WIDTH, 820]) {
    await page.setViewportSize({ width, height: 800 });
    // The picker stands elsewhere in its line with every tag.
    for (let count = 0; count <= taken.length; count += 1) {
      const body = { categories: taken.slice(0, count) };
      await api.call(setEntryTags, { params: { id }, body });
      await page.goto(`/entry/${id}`);
      expect(await expectOpenersFit(page, `an entry with ${count} tags`)).toBeGreaterThan(2);
    }
    for (const path of [
      '/',
      '/journals',
      '/journals?view=calendar&month=2025-01',
      '/journals?view=timeline',
      '/upload',
      '/upload/import',
      '/search?query=day',
      ...['profile', 'video', 'plan', 'billing', 'tags', 'memories', 'trash', 'security'].map(
        (tab) => `/settings/${tab}`,
      ),
    ]) {
      await page.goto(path);
      await expect(page.getByRole('status').getByText('Loading...', { exact: true })).toHaveCount(0);
      await expectFits(page, path);
      await expectOpenersFit(page, path);
    }
  }
});

test('dialogs fit a narrow phone', async ({ page, account, sql }) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), {
    videoStatus: 'failed',
    title: 'W'.repeat(200),
  });
  await page.setViewportSize({ width: NARROW_WIDTH, height: 800 });
  const dialog = page.getByRole('dialog');
  await page.goto(`/entry/${id}`);
  await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toBeVisible();
  await expectFits(page, 'the question before deleting');
  await page.goto('/settings/plan');
  await page.getByRole('button', { name: 'Upgrade Plan' }).click();
  await expect(dialog.getByRole('button', { name: 'Current Plan' })).toBeVisible();
  await expectFits(page, 'the plans');
});
