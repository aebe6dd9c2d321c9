import { PROMPTS } from '@/lib/journal/shared/prompts';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { daysAgo, yearsAgo } from './days';
import { clip, timeOf } from './player-steps';

/** Words two to a second, from a moment on. */
const spoken = (text: string, from = 0) =>
  text.split(' ').map((word, index) => [word, from + index / 2, from + index / 2 + 0.4]);

// The page is the same wherever its readers are.
test.use({ timezoneId: 'UTC' });

test('the words of a memory play its moment, one year at a time', async ({ account, page, upload, sql }) => {
  const { id } = await upload(await clip(), { title: 'Bulbs, anyway', wait: 'transcript' });
  const words = [...spoken('Hi again.'), ...spoken('So I carried the bulbs anyway, in the snow.', 4)];
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${sql.json(words)})`;
  await sql`update entries set date = ${yearsAgo(1)}, transcript_status = 'completed' where id = ${id}`;
  const userId = await userIdOf(sql, account.email);
  await insertEntry(sql, userId, { date: yearsAgo(2), title: 'At the sea' });

  await page.goto('/');
  const memories = page.getByRole('region', { name: 'On This Day' });
  const apart = Number(daysAgo(0).slice(0, 4)) - Number(yearsAgo(1).slice(0, 4));
  await expect(memories.getByRole('heading')).toHaveText(
    apart === 1 ? 'One year ago you said…' : 'Four years ago you said…',
  );
  const quotation = memories.getByRole('blockquote');
  await expect(quotation).toHaveText('So I carried the bulbs anyway, in the snow.');
  const video = memories.locator('video');
  await expect(video).toHaveCount(0);

  await memories.getByRole('button', { name: 'Play what you said in “Bulbs, anyway”' }).click();
  await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(4);
  await expect(quotation.locator('.bg-mark')).toHaveText(/^(I|carried|the|bulbs|anyway,|in|snow\.)$/);
  // It ends with the last word, and nothing is marked then.
  await expect(memories.getByRole('button', { name: 'Play what you said' })).toBeVisible();
  await expect(quotation.locator('.bg-mark')).toHaveCount(0);
  expect(await timeOf(video)).toBeLessThan(10);

  await memories.getByRole('tab', { name: yearsAgo(1).slice(0, 4) }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(memories.getByRole('tab', { name: yearsAgo(2).slice(0, 4) })).toBeFocused();
  await expect(memories.getByRole('tabpanel').getByRole('link', { name: 'At the sea' })).toBeVisible();
  await expect(memories.getByRole('heading')).toContainText('you recorded…');

  await page.keyboard.press('Home');
  await memories.getByRole('link', { name: 'Bulbs, anyway' }).click();
  await expect(page).toHaveURL(/\/entry\/.*\?t=4$/);
});

test('the day is in words, and its question leads to the studio', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (const [days, title] of [
    [1, 'The wall is finished'],
    [5, 'A plan for spring'],
  ] as const) {
    await insertEntry(sql, userId, { date: daysAgo(days), title });
  }
  await page.goto('/');
  const main = page.getByRole('main');
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date());
  await expect(main.getByText(new RegExp(`^${month} [a-z]+(-[a-z]+)?$`))).toBeVisible();
  await expect(main).toContainText('You’ve recorded on two of the last seven days.');
  await expect(main).toContainText('Yesterday you recorded “The wall is finished.”');
  await expect(main).not.toContainText('in a row');

  const question = main.getByRole('region', { name: /^To(night|day)’s question$/ });
  const first = (await question.getByText(/\?$/).textContent()) ?? '';
  expect(PROMPTS).toContain(first);
  await question.getByRole('button', { name: 'Another question' }).click();
  await expect(question.getByText(/\?$/)).not.toHaveText(first);
  const asked = (await question.getByText(/\?$/).textContent()) ?? '';
  await question.getByRole('link', { name: 'Record an answer' }).click();
  await expect(page).toHaveURL(`/upload?question=${PROMPTS.indexOf(asked)}`);
  await expect(page.getByText(asked)).toBeVisible();
});

test('the year starts at today on a phone, and leads into a month', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { date: daysAgo(0) });
  await sql`update entries set duration_ms = 720000 where id = ${id}`;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const year = page.getByRole('region', { name: 'Your year' });
  await expect(year).toContainText('You recorded on 1 day, 12 minutes in all.');
  const months = year.getByRole('navigation', { name: 'Months of the last year' });
  await year.scrollIntoViewIfNeeded();
  await expect(months.getByRole('link').first()).not.toBeInViewport();
  await expect(months.getByRole('link').last()).toBeInViewport({ ratio: 1 });
  const name = (await months.getByRole('link').last().getAttribute('aria-label')) ?? '';
  await months.getByRole('link').last().click();
  await expect(page).toHaveURL(/view=calendar/);
  await expect(page.getByRole('region', { name })).toBeVisible();
});

test('the dashboard is accessible in every look', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { date: yearsAgo(1), title: 'x'.repeat(200) });
  const words = spoken('I finally called Dad and he laughed until the kettle boiled over.');
  await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${sql.json(words)})`;
  await insertEntry(sql, userId, { date: yearsAgo(2), title: 'Earlier' });
  for (let days = 0; days < 7; days += 1) await insertEntry(sql, userId, { date: daysAgo(days) });
  await page.goto('/');
  await expect(page.getByText('You’ve recorded seven days in a row.')).toBeVisible();
  await expect(page.getByRole('blockquote')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});
