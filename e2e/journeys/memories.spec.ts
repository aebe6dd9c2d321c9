import { search } from '@/lib/journal/search/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

/** This day in an earlier year, the nth that has it: of a leap day, each is four years before the next. */
function yearsAgo(nth: number): string {
  const today = new Date().toISOString().slice(0, 10);
  const apart = today.endsWith('-02-29') ? 4 : 1;
  return `${Number(today.slice(0, 4)) - nth * apart}${today.slice(4)}`;
}

test('what hurts is hidden from On This Day, at once or until it is shown again', async ({
  account,
  page,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  const tagged = await insertEntry(sql, userId, { date: yearsAgo(1), title: 'With him' });
  await insertEntry(sql, userId, { date: yearsAgo(2), title: 'At the sea' });
  await insertEntry(sql, userId, { date: yearsAgo(3), title: 'A quiet day' });
  const tag = crypto.randomUUID();
  await sql`insert into tags ${sql({ id: tag, user_id: userId, name: 'Tom', color: '#AA3355' })}`;
  await sql`insert into entry_tags ${sql({ entry_id: tagged, tag_id: tag })}`;
  await page.goto('/');
  const memories = page.getByRole('region', { name: 'On This Day' });
  const years = memories.getByRole('tab');
  const choose = (nth: number) => memories.getByRole('tab', { name: yearsAgo(nth).slice(0, 4) }).click();
  await expect(years).toHaveCount(3);

  await choose(2);
  await memories.getByRole('button', { name: 'Hide “At the sea”' }).click();
  await page.getByRole('menuitem', { name: 'Hide this entry' }).click();
  await expect(years).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(years).toHaveCount(3);

  // By keyboard alone.
  await choose(1);
  await memories.getByRole('button', { name: 'Hide “With him”' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Hide this entry' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Hide entries tagged Tom' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(years).toHaveCount(2);
  await expect(memories.getByRole('heading')).toBeFocused();
  await choose(3);
  await memories.getByRole('button', { name: 'Hide “A quiet day”' }).click();
  await page.getByRole('menuitem', { name: 'Hide this date' }).click();
  await expect(years).toHaveCount(1);
  const found = await account.api.call(search, { query: { query: 'quiet' } });
  expect(found.map(({ title }) => title)).toEqual(['A quiet day']);

  await page.goto('/settings/memories');
  const hidden = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Show again' });
  await expect(hidden).toHaveCount(2);
  await hidden.filter({ hasText: 'Tom' }).getByRole('button').click();
  await expect(hidden).toHaveCount(1);
  await hidden.getByRole('button').click();
  await expect(page.getByText('Nothing is hidden.')).toBeVisible();
  await page.goto('/');
  await expect(years).toHaveCount(3);
});

test('memories and page numbers are accessible in every look', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { date: yearsAgo(1), title: 'With him' });
  const tag = crypto.randomUUID();
  await sql`insert into tags ${sql({ id: tag, user_id: userId, name: 'x'.repeat(50), color: '#AA3355' })}`;
  await sql`insert into entry_tags ${sql({ entry_id: id, tag_id: tag })}`;
  await sql`insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status)
    select gen_random_uuid(), ${userId}, 'Day ' || n, '2019-03-04', 'day.mp4', 'video/mp4', 1000, 'failed'
    from generate_series(1, 120) n`;
  await page.goto('/');
  await page.getByRole('button', { name: 'Hide “With him”' }).click();
  await expect(page.getByRole('menuitem', { name: 'Hide this date' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('menuitem', { name: 'Hide entries tagged' }).click();
  await expect(page.getByRole('region', { name: 'On This Day' })).toHaveCount(0);
  await page.goto('/settings/memories');
  await expect(page.getByRole('button', { name: 'Show again' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await page.goto('/journals');
  await page.setViewportSize({ width: 320, height: 800 });
  await page.getByRole('button', { name: 'Pages 7 to 10' }).click();
  await expect(page.getByRole('link', { name: '10', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('list', { name: 'Pages 7 to 10' }).getByRole('link')).toHaveText([
    '7',
    '8',
    '9',
    '10',
  ]);
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: '8', exact: true }).click();
  await expect(page).toHaveURL('/journals?page=8');
  await expect(page.getByRole('link', { name: '8', exact: true })).toHaveAttribute('aria-current', 'page');
});
