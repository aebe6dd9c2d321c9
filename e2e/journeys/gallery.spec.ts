import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';

test('the journal shows six entries a page, newest first', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (let day = 1; day <= 13; day += 1) {
    await insertEntry(sql, userId, {
      title: `Day ${day}`,
      date: `2026-01-${String(day).padStart(2, '0')}`,
      videoStatus: day === 13 ? 'processing' : day === 12 ? 'failed' : 'ready',
    });
  }
  await page.goto('/journals');
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(6);
  await expect(cards.first()).toContainText('2026-01-13');
  await expect(cards.first().getByText('Loading...')).toBeVisible();
  // No thumbnail is on its way for the others, whether or not their videos play.
  await expect(cards.getByText('Loading...')).toHaveCount(1);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('link')).toHaveText(['1', '2', '3']);
  await expect(pages.getByRole('link', { name: '1' })).toHaveAttribute('aria-current', 'page');
  await pages.getByRole('link', { name: '2' }).click();
  await expect(page).toHaveURL('/journals?page=2');
  await expect(cards.first()).toContainText('2026-01-07');
  await expect(cards).toHaveCount(6);
  await pages.getByRole('link', { name: '3' }).click();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('2026-01-01');
  await page.goto('/journals?page=99');
  await expect(cards).toContainText('2026-01-01');
});

test('an empty journal invites to a first entry', async ({ page }) => {
  await page.goto('/journals');
  await expect(page.getByText('Your journal is empty.')).toBeVisible();
  await page.getByRole('link', { name: 'Record your first entry' }).click();
  await expect(page).toHaveURL(/\/upload\?question=\d+$/);
});

test('the dashboard greets, counts and links', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const title = 'Caf\u00e9 & sun / "50 %" #1?';
  for (let day = 1; day <= 7; day += 1) await insertEntry(sql, userId, { date: `2025-11-0${day}` });
  const id = await insertEntry(sql, userId, { title, date: '2025-12-24', videoStatus: 'failed' });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByText('Loading...').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
  await expect(page.getByText("Here's a quick look at your recent entries and journal stats.")).toBeVisible();
  await expect(page.getByText('Total Entries: 8')).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('article').first()).toContainText('12/24/2025');
  const link = page.getByRole('link', { name: title });
  expect(await link.getAttribute('href')).toBe(`/entry/${id}/${encodeURIComponent(title)}`);
  await link.click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
});

test('the navigation leads everywhere, and the logo home', async ({ page }) => {
  await page.goto('/journals');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link')).toHaveText(['Upload', 'Journal', 'Settings']);
  await main.getByRole('link', { name: 'Upload' }).click();
  await expect(page).toHaveURL('/upload');
  await main.getByRole('link', { name: 'Journal' }).click();
  await expect(page).toHaveURL('/journals');
  await page.getByRole('banner').getByRole('link').first().click();
  await expect(page).toHaveURL('/');
});

test('what cannot be shown says so, and nothing of its inside', async ({ page, account, sql, watch }) => {
  // The page broke before it could name its icon.
  watch.allowConsole(/Minified React error #441|favicon\.ico|status of 500/);
  watch.allowLog(/a date that does not exist|⨯/);
  const id = await insertEntry(sql, await userIdOf(sql, account.email));
  // Past the triggers, which would refuse it.
  await sql.begin(async (tx) => {
    await tx`alter table entries disable trigger user`;
    await tx`update entries set date = 'infinity' where id = ${id}`;
    await tx`alter table entries enable trigger user`;
  });
  await page.goto(`/entry/${id}`);
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByText('does not exist')).toHaveCount(0);
  const answer = await account.api.send('GET', `/api/v1/entry/${id}`);
  const body = (await answer.json()) as Record<string, string>;
  expect(answer.status).toBe(500);
  expect(body).toEqual({
    message: 'Something went wrong on our end. Try again in a moment.',
    code: 'internal',
    requestId: answer.headers.get('x-request-id'),
  });
});
