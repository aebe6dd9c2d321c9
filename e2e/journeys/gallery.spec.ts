import { insertEntry, insertNote, insertTag, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

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
  await expect(pages.getByRole('link')).toHaveText(['1', '2', '3', 'Next']);
  await expect(pages.getByRole('link', { name: '1' })).toHaveAttribute('aria-current', 'page');
  await pages.getByRole('link', { name: '2' }).click();
  await expect(page).toHaveURL('/journals?page=2');
  await expect(cards.first()).toContainText('2026-01-07');
  await expect(cards).toHaveCount(6);
  await expect(pages.getByRole('link')).toHaveText(['Previous', '1', '2', '3', 'Next']);
  await pages.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/journals?page=3');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('2026-01-01');
  await pages.getByRole('link', { name: 'Previous' }).click();
  await expect(page).toHaveURL('/journals?page=2');
  await page.goto('/journals?page=99');
  await expect(cards).toContainText('2026-01-01');
});

test('filters apply at once, say how many entries they leave, and clear in one press', async ({
  page,
  account,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  const ids: string[] = [];
  for (let day = 1; day <= 8; day += 1)
    ids.push(
      await insertEntry(sql, userId, { title: `Day ${day}`, date: `202${day % 2 ? 5 : 6}-01-0${day}` }),
    );
  await insertTag(sql, userId, 'Family', ids.slice(0, 3));
  await insertTag(sql, userId, 'Garden', ids.slice(2, 5));
  await insertNote(sql, ids[0]);
  await page.goto('/journals');
  const count = page.getByRole('status').filter({ hasText: /entries|entry/ });
  const chip = (name: string) =>
    page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name, exact: true });
  await expect(count).toHaveText('8 entries');
  await expect(page.getByRole('link', { name: 'Clear filters' })).toHaveCount(0);
  await chip('Family').click();
  await expect(count).toHaveText('3 of 8 entries');
  await expect(chip('Family')).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('article')).toHaveCount(3);
  await chip('Garden').click();
  await expect(count).toHaveText('1 of 8 entries');
  await expect(page.getByRole('article')).toContainText('Day 3');
  await expectAccessibleInEveryAppearance(page);
  await chip('Garden').click();
  await chip('With notes').click();
  await expect(count).toHaveText('1 of 8 entries');
  await expect(page.getByRole('article')).toContainText('Day 1');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await expect(count).toHaveText('8 entries');
  await expect(page).toHaveURL('/journals');
  await page.getByLabel('Month').selectOption('2026');
  await expect(count).toHaveText('4 of 8 entries');
  await page.goBack();
  await expect(count).toHaveText('8 entries');
});

test('a range under several filters selects only what they leave', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const ids: string[] = [];
  for (let day = 1; day <= 20; day += 1) {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    ids.push(await insertEntry(sql, userId, { title: `Day ${day}`, date }));
  }
  const one = await insertTag(sql, userId, 'One', ids.slice(1, 19));
  const two = await insertTag(
    sql,
    userId,
    'Two',
    ids.filter((_, index) => index % 2 === 0),
  );
  await page.goto(`/journals?tag=${one}&tag=${two}`);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('link', { name: 'Day 19' }).click();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await page.getByRole('link', { name: 'Day 3', exact: true }).click({ modifiers: ['Shift'] });
  await expect(page.getByRole('status').filter({ hasText: '9 selected' })).toHaveCount(1);
});

test('the calendar marks today and goes to any month', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  await insertEntry(sql, userId, { date: '2024-02-29', title: 'A leap day' });
  const today = new Date().toISOString().slice(0, 10);
  await page.goto(`/journals?view=calendar&month=${today.slice(0, 7)}`);
  const marked = page.locator('[aria-current="date"]');
  await expect(marked).toHaveText(`${Number(today.slice(8))}, today`);
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('combobox', { name: 'Month' }).selectOption('February 2024');
  await expect(page.getByRole('region', { name: 'February 2024' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'A leap day' })).toBeVisible();
  await expect(marked).toHaveCount(0);
  await page.getByRole('link', { name: 'Today' }).click();
  await expect(marked).toHaveCount(1);
});

test('a card’s picture becomes the player, unless people prefer less motion', async ({
  page,
  account,
  sql,
}) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'The lighthouse' });
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (options) => {
      const transition = start(options);
      transition.ready
        .then(() => {
          for (const { effect } of document.getAnimations()) {
            const name = effect instanceof KeyframeEffect ? effect.pseudoElement : null;
            if (name) moved.push(name);
          }
        })
        .catch(() => undefined);
      transition.finished.then(() => moved.push('finished')).catch(() => undefined);
      return transition;
    };
  });
  const moved = () => page.evaluate(() => Reflect.get(window, 'moved') as string[]);
  await page.goto('/journals');
  const card = page.getByRole('link', { name: 'The lighthouse' });
  await card.click();
  await expect(page.locator('video')).toBeVisible();
  await expect.poll(moved).toContain('finished');
  expect(await moved()).toContain(`::view-transition-group(entry-${id})`);
  await page.goBack();
  await expect(card).toBeVisible();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/journals');
  await card.click();
  await expect(page.locator('video')).toBeVisible();
  expect((await moved()).filter((name) => name.startsWith('::'))).toEqual([]);
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
  // It may be gone before anything outside the page could look.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body?.innerText.includes('Loading...'))
        document.documentElement.dataset['sawLoading'] = '';
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await expect(page.locator('html[data-saw-loading]')).toBeAttached();
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
