import type postgres from 'postgres';
import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { search } from '@/lib/journal/search/contract';

/** An entry with these words, one a second from 0. */
async function insertEntryWithTranscript(
  sql: postgres.Sql,
  userId: string,
  title: string,
  text: string,
): Promise<string> {
  const id = await insertEntry(sql, userId, { title });
  const words = text.split(' ').map((word, second) => [word, second, second + 0.5]);
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${JSON.stringify(words)}::text::jsonb)`;
  return id;
}

test('what is typed is found as it is typed, and a snippet opens its moment', async ({
  account,
  page,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntryWithTranscript(
    sql,
    userId,
    'At the coast',
    'we walked to the old lighthouse and back again',
  );
  await insertEntryWithTranscript(sql, userId, 'At home', 'we stayed in all day');
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search your entries' }).fill('walk');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?query=walk$/);
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 entry');
  await expect(page.getByRole('searchbox')).toHaveCount(1);
  await page.getByRole('searchbox').fill('lighth');
  await expect(page.locator('mark')).toHaveText('lighthouse');
  await expect(page).toHaveURL(/query=lighth$/);
  await page.getByRole('searchbox').fill('submarine');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('No entries found.');
  await page.getByRole('searchbox').fill('day -home');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('No entries found.');
  await page.getByRole('searchbox').fill('lighthouse');
  await page.getByRole('link', { name: 'Play from 0:05' }).click();
  await expect(page).toHaveURL(new RegExp(`/entry/${id}/At%20the%20coast\\?t=5$`));
});

test('an answer that is no longer asked for is cancelled', async ({ account, page, sql }) => {
  await insertEntryWithTranscript(
    sql,
    await userIdOf(sql, account.email),
    'Out',
    'we walked to the old lighthouse',
  );
  await page.goto('/journals');
  const box = page.getByRole('searchbox');
  // The key does nothing before the page has come alive.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(box).toBeFocused({ timeout: 500 });
  }).toPass();
  await box.fill('walk');
  await page.keyboard.press('Enter');
  await expect(page.locator('mark')).toHaveText('walked');
  // Never answered.
  await page.route(/\/search\?query=light&/, () => {});
  const cancelled = page.waitForEvent('requestfailed', (request) =>
    /\/search\?query=light&/.test(request.url()),
  );
  const asked = page.waitForRequest(/\/search\?query=light&/);
  await box.fill('light');
  await asked;
  await box.fill('lighthouse');
  await cancelled;
  await expect(page.locator('mark')).toHaveText('lighthouse');
  await expect(page).toHaveURL(/query=lighthouse$/);
});

test('the search page works without script', async ({ account, browser, app, signIn, sql }) => {
  await insertEntryWithTranscript(
    sql,
    await userIdOf(sql, account.email),
    'At the coast',
    'the old lighthouse',
  );
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, account);
  await page.goto('/search');
  await page.locator('input[name=query]').fill('lighthouse');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('main').getByRole('status')).toHaveText('1 entry');
  await expect(page.getByRole('link', { name: 'At the coast' })).toBeVisible();
  await context.close();
});

test('searches that found something are kept in the browser until they are cleared', async ({
  account,
  page,
  sql,
}) => {
  await insertEntryWithTranscript(sql, await userIdOf(sql, account.email), 'Out', 'the first thing I saw');
  const field = page.getByRole('searchbox');
  const status = page.getByRole('main').getByRole('status');
  await page.goto('/search');
  await field.fill('nothing like it');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(status).toHaveText('No entries found.');
  // On the way to what is meant, which isn't remembered.
  await field.fill('fir');
  await expect(status).toHaveText('1 entry');
  await field.fill('first thing');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/query=first\+thing$/);
  await expect(page.locator('mark')).toHaveText('first thing');
  await page.goto('/search');
  const recent = page.getByRole('region', { name: 'Recent searches' });
  await expect(recent.getByRole('button')).toHaveText(['first thing', 'Clear']);
  await recent.getByRole('button', { name: 'first thing' }).click();
  await expect(field).toHaveValue('first thing');
  await expect(status).toHaveText('1 entry');
  await page.goto('/search');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('button', { name: 'first thing' })).toHaveCount(0);
});

test('the search call answers for its owner alone, and refuses only dates that are none', async ({
  account,
  newAccount,
  sql,
}) => {
  const id = await insertEntryWithTranscript(
    sql,
    await userIdOf(sql, account.email),
    'At the coast',
    'the old lighthouse',
  );
  const found = await account.api.call(search, { query: { query: 'lighthouse' } });
  expect(found.map((result) => result.id)).toEqual([id]);
  expect(found[0]?.matches[0]).toMatchObject({ start_time: 2, text: 'the old lighthouse' });
  expect(await (await newAccount()).api.call(search, { query: { query: 'lighthouse' } })).toEqual([]);
  expect((await account.api.sendOperation(search, { query: { query: 'x', from: 'yesterday' } })).status).toBe(
    400,
  );
  expect(await account.api.call(search, { query: {} })).toEqual([]);
});

test('the gallery is narrowed down by the address, and has a calendar', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (const date of ['2025-03-05', '2025-03-06', '2024-02-29']) {
    await insertEntry(sql, userId, { date, title: `Of ${date}` });
  }
  await page.goto('/journals');
  await page.getByLabel('Month').selectOption('February 2024');
  await expect(page).toHaveURL(/month=2024-02/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('link', { name: 'Calendar' }).click();
  await expect(page.getByRole('region', { name: 'February 2024' })).toBeVisible();
  await page.goto('/journals?view=calendar&month=2025-03');
  await page.getByRole('link', { name: 'Of 2025-03-05' }).click();
  await expect(page).toHaveURL(/\/entry\/.*Of%202025-03-05/);
});

test('the dashboard has memories, the year and a surprise', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const today = new Date().toISOString().slice(0, 10);
  const [year, rest] = [Number(today.slice(0, 4)), today.endsWith('02-29') ? '-02-28' : today.slice(4)];
  const id = await insertEntry(sql, userId, { date: `${year - 1}${rest}`, title: 'A year ago' });
  await page.goto('/');
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
  if (!today.endsWith('02-29')) {
    await expect(
      page.getByRole('region', { name: 'On This Day' }).getByRole('link', { name: 'A year ago' }),
    ).toBeVisible();
  }
  await expect(page.getByRole('table', { name: 'Entries by month over the last year' })).toBeAttached();
  await page.getByRole('link', { name: 'Surprise me' }).click();
  await expect(page).toHaveURL(new RegExp(`/entry/${id}/`));
});
