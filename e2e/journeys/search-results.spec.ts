import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { expectAccessible } from './axe';

/** Entries whose transcript says this, one a day back from a date. Returns their ids, newest first. */
async function insertSaid(
  sql: postgres.Sql,
  userId: string,
  said: string,
  { entries = 1, until = '2026-03-01' }: { entries?: number; until?: string } = {},
): Promise<string[]> {
  const rows = Array.from({ length: entries }, (_, nth) => ({
    id: uuidv7(),
    user_id: userId,
    title: `Day ${nth}`,
    date: new Date(Date.parse(until) - nth * 86_400_000).toISOString().slice(0, 10),
    file_name: 'day.mp4',
    content_type: 'video/mp4',
    bytes: 1000,
    duration_ms: 65_000,
    video_status: 'ready' as const,
    video_key: `entries/${userId}/${nth}/video.mp4`,
    transcript_status: 'completed' as const,
  }));
  const words = JSON.stringify(said.split(' ').map((word, second) => [word, second, second + 0.5]));
  await sql`insert into entries ${sql(rows)}`;
  for (const { id } of rows)
    await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${words}::text::jsonb)`;
  return rows.map(({ id }) => id);
}

test('more results come at the end of the list, and by keyboard, and a failed page can be tried again', async ({
  account,
  page,
  sql,
  watch,
}) => {
  watch.allowConsole(/Failed to load resource/);
  await insertSaid(sql, await userIdOf(sql, account.email), 'down at the harbor', { entries: 130 });
  const status = page.getByRole('main').getByRole('status');
  const results = page.getByRole('article');
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.goto('/search?query=harbor');
  await expect(status).toHaveText('30 of 130 entries');
  const first = await results.first().getByRole('heading').boundingBox();
  expect(first?.y).toBeLessThanOrEqual(240);

  await results.last().scrollIntoViewIfNeeded();
  await expect(status).toHaveText('60 of 130 entries');
  await page.route(/\/api\/v1\/search\?.*cursor/, (route) => route.abort());
  await results.last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Network Error');
  await expect(results).toHaveCount(60);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).focus();
  await page.keyboard.press('Enter');
  await expect(status).toHaveText(/^(90|120) of 130 entries$/);
  await expect(async () => {
    await results.last().scrollIntoViewIfNeeded();
    await expect(status).toHaveText('130 entries', { timeout: 500 });
  }).toPass();
  await expect(page.getByRole('button', { name: /more/ })).toHaveCount(0);
  const links = await results
    .getByRole('heading')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(130);
});

test('tags, dates, and years are filters that are cleared in one press', async ({
  account,
  api,
  page,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  const [newest = ''] = await insertSaid(sql, userId, 'the garden wall', { entries: 3, until: '2026-03-01' });
  const [oldest = ''] = await insertSaid(sql, userId, 'the garden wall', { entries: 2, until: '2024-06-02' });
  const tag = await api.call(createTag, { body: { category_name: 'Family' } });
  for (const id of [newest, oldest])
    await api.call(setEntryTags, { params: { id }, body: { categories: [tag.id] } });
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.goto('/search?query=garden');
  const status = page.getByRole('main').getByRole('status');
  await expect(status).toHaveText('5 entries');
  const years = page.getByRole('complementary', { name: 'When you said it' });
  await expect(years.getByRole('listitem')).toHaveText([/^2026.*3 entries$/, /^2024.*2 entries$/]);
  await expect(years).toContainText('First said on June 1, 2024, in “Day 1”');

  await years.getByRole('link', { name: /^2024/ }).click();
  await expect(status).toHaveText('2 entries');
  await expect(page).toHaveURL(/dateRange=2024-01-01&to=2024-12-31/);
  await expect(page.getByRole('button', { name: 'Date: 2024' })).toBeVisible();
  await expect(years.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Family').check();
  await expect(status).toHaveText('1 entry');
  await expect(page.getByRole('article')).toContainText('Family');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(status).toHaveText('5 entries');
  await expect(page).toHaveURL(/search\?query=garden$/);
  await expect(page.getByLabel('Family')).not.toBeChecked();

  await page.getByRole('button', { name: 'Date: Any date' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-02-28');
  await expect(status).toHaveText('2 entries');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Any date', exact: true }).last().click();
  await expect(status).toHaveText('5 entries');
  await page.getByRole('button', { name: 'Clear text' }).click();
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('the dates can be filled in without script', async ({ account, browser, app, signIn, sql }) => {
  const userId = await userIdOf(sql, account.email);
  await insertSaid(sql, userId, 'the garden wall', { entries: 3, until: '2026-03-01' });
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, account);
  await page.goto('/search?query=garden');
  await page.getByRole('button', { name: 'Date: Any date' }).click();
  await page.getByLabel('From', { exact: true }).fill('2026-03-01');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 entry');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('3 entries');
  await context.close();
});

test('the dates stay beside their button in a narrow window, and close once the focus leaves them', async ({
  account,
  page,
  sql,
}) => {
  await insertSaid(sql, await userIdOf(sql, account.email), 'the garden wall', { entries: 8 });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto('/search?query=garden');
  const button = page.getByRole('button', { name: 'Date: Any date' });
  const dates = page.getByRole('group', { name: 'Date', exact: true });
  await button.click();
  const gap = async () => {
    const [above, below] = [await button.boundingBox(), await dates.boundingBox()];
    return above && below && Math.round(below.y - above.y - above.height);
  };
  await expect.poll(gap).toBe(8);
  expect(await dates.boundingBox()).toMatchObject({ x: 8, width: 304 });
  await page.evaluate(() => scrollBy(0, 60));
  await expect(button).toBeInViewport();
  await expect.poll(gap).toBe(8);

  await page.getByLabel('From', { exact: true }).focus();
  await page.keyboard.press('Escape');
  await expect(dates).toBeHidden();
  await expect(button).toBeFocused();
  await button.press('Enter');
  await dates.getByRole('button', { name: 'Last year' }).focus();
  await page.keyboard.press('Tab');
  await expect(dates).toBeHidden();
  await expect(button).not.toBeFocused();
});

test('a typo is corrected in words, and what nobody said has a suggestion', async ({
  account,
  page,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  await insertSaid(sql, userId, 'the old lighthouse', { entries: 2 });
  const status = page.getByRole('main').getByRole('status');
  await page.goto('/search');
  await page.getByRole('searchbox').fill('lihgthouse');
  await expect(status).toHaveText('2 entries');
  await expect(page.getByText('Showing results for “lighthouse”')).toBeVisible();
  await page.getByRole('searchbox').fill('lihgthouse submarine');
  await expect(status).toHaveText('No entries found.');
  await expect(page.getByText('Nobody said that, in these words.')).toBeVisible();
  await expectAccessible(page);
  await page.getByText('Did you mean lighthouse? It’s in 2 entries.').getByRole('link').click();
  await expect(status).toHaveText('2 entries');
  await expect(page.getByRole('searchbox')).toHaveValue('lighthouse');
});

test('further moments of an entry are one press away', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const words = Array.from({ length: 130 }, (_, n) => ([5, 40, 80, 120].includes(n) ? 'kites' : `w${n}`));
  await insertSaid(sql, userId, words.join(' '));
  await page.goto('/search?query=kites');
  await expect(page.getByRole('link', { name: /^Play from/ })).toHaveCount(2);
  await page.getByRole('link', { name: '2 more moments' }).click();
  await expect(page).toHaveURL(/\?t=80$/);
});

test('results start in the top third of a phone, and nothing scrolls sideways but the filters', async ({
  account,
  api,
  page,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  await insertSaid(sql, userId, 'the garden wall', { entries: 2 });
  for (const name of ['Family', 'Friends', 'Gardening', 'Traveling', 'Work'])
    await api.call(createTag, { body: { category_name: name } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search?query=garden');
  const first = await page.getByRole('article').first().getByRole('heading').boundingBox();
  expect(first?.y).toBeLessThanOrEqual(844 / 3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByLabel('Work').check();
  await expect(page.getByRole('link', { name: 'Clear filters' })).toBeInViewport();
});
