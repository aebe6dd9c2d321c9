import { removeEntry } from '@/lib/journal/entries/contract';
import { listTags } from '@/lib/journal/tags/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';

test('an error is shown at its control as well as in a toast', async ({ page, api, watch }) => {
  watch.allowConsole(/status of 409/);
  await page.goto('/settings/tags');
  const name = page.getByPlaceholder('Tag name...');
  const add = page.getByRole('button', { name: 'Add Tag' });
  await name.fill('Family');
  await add.click();
  await expect(page.getByRole('textbox', { name: 'Title of Family' })).toBeVisible();
  await name.fill('family');
  await add.click();
  const message = 'You already have a tag named “family”.';
  await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
  const bubble = page.locator('.error-bubble');
  await expect(bubble).toBeVisible();
  await expect(add).toHaveAccessibleDescription(message);
  const [below, button] = [await bubble.boundingBox(), await add.boundingBox()];
  expect(Math.abs((below?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0))).toBeLessThan(20);
  await expectAccessible(page);
  await name.press('End');
  await expect(bubble).toHaveCount(0);
  await expect(add).toHaveAccessibleDescription('');
  expect(await api.call(listTags)).toMatchObject({ categories: [{ name: 'Family' }] });
});

test('a toast moves out of the way of what it’s about', async ({ page, account, api, sql, watch }) => {
  watch.allowConsole(/status of 403/);
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { title: 'Waiting' });
  await api.call(removeEntry, { params: { id } });
  for (let n = 0; n < 30; n += 1) await insertEntry(sql, userId);
  await page.setViewportSize({ width: 1100, height: 300 });
  await page.goto('/settings/trash');
  const restore = page.getByRole('button', { name: 'Restore Waiting' });
  await restore.evaluate((button) => {
    window.scrollTo(0, window.scrollY + button.getBoundingClientRect().top - 100);
  });
  await restore.click();
  const toast = page.getByRole('alert').filter({ hasText: "You have reached your plan's quota." });
  await expect(toast).toBeVisible();
  const [over, under] = [await toast.boundingBox(), await restore.boundingBox()];
  if (!over || !under) throw new Error('One of them isn’t there.');
  const overlaps =
    over.x < under.x + under.width &&
    under.x < over.x + over.width &&
    over.y < under.y + under.height &&
    under.y < over.y + over.height;
  expect(overlaps).toBe(false);
});

test('a rejected request that shows nothing is logged, and one that shows a toast isn’t', async ({
  page,
  account,
  sql,
  watch,
}) => {
  watch.allowConsole(/status of 503/);
  const busy = { status: 503, json: { message: 'We’re busy right now. Try again.', code: 'busy' } };
  await insertEntry(sql, await userIdOf(sql, account.email), { title: 'At the lighthouse' });
  const rejected: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('Rejecting')) rejected.push(message.type());
  });
  await page.goto('/search');
  await page.route('**/api/v1/search/summary**', (route) => route.fulfill(busy));
  await page.getByRole('searchbox').fill('lighthouse');
  await expect(page.getByRole('link', { name: 'At the lighthouse' })).toBeVisible();
  await expect.poll(() => rejected).toEqual(['info']);
  await expect(page.getByRole('alert').filter({ hasText: busy.json.message })).toHaveCount(0);

  await page.route('**/api/v1/search?**', (route) => route.fulfill(busy));
  await page.getByRole('searchbox').fill('harbor');
  await expect(page.getByRole('alert').filter({ hasText: busy.json.message })).toBeVisible();
  expect(rejected).toHaveLength(1);
});
