import { updatePreferences } from '@/lib/account/preferences/contract';
import { createTag } from '@/lib/journal/tags/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
      test.use({ javaScriptEnabled });

      test('the settings are a list of pages with what’s set', async ({ page, account, api, sql }) => {
        const userId = await userIdOf(sql, account.email);
        await api.call(createTag, { body: { category_name: 'Work' } });
        for (const _ of [1, 2]) await insertEntry(sql, userId, { trashed: true });
        await page.goto('/settings');
        const nav = page.getByRole('navigation', { name: 'Settings' });
        await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
        await expect(page.getByRole('button', { name: 'Update Profile' })).toBeHidden();
        for (const [name, value] of [
          ['Profile', 'Ada Lovelace'],
          ['Security', 'Password only'],
          ['Video Settings', 'English'],
          ['Tags', '1'],
          ['Memories', 'None hidden'],
          ['Trash', '2'],
          ['Plan Details', 'Free'],
        ] as const) {
          await expect(nav.getByRole('link', { name, exact: true })).toHaveAccessibleDescription(value);
          await expect(nav.getByRole('listitem').filter({ hasText: name })).toContainText(value);
        }
        for (const row of await nav.getByRole('listitem').all())
          expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(52);

        await nav.getByRole('link', { name: 'Trash' }).click();
        await expect(page).toHaveURL('/settings/trash');
        await expect(page.getByRole('heading', { name: 'Trash' })).toBeVisible();
        await expect(nav).toBeHidden();
        await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
        await expect(page).toHaveURL('/settings');
        await expect(nav).toBeVisible();
        await nav.getByRole('link', { name: 'Logout' }).click();
        await expect(page).toHaveURL(javaScriptEnabled ? '/login' : '/logout');
      });
    });
  }
});

test('preferences change the calendar, dates, and today', async ({ page, account, sql, api }) => {
  const userId = await userIdOf(sql, account.email);
  await insertEntry(sql, userId, { title: 'Gone', date: '2026-03-09', trashed: true });
  await page.goto('/settings/preferences');
  await expect(page.getByLabel('Time zone')).toHaveValue('');
  await expect(page.getByLabel('First day of the week')).toHaveValue('sunday');
  await page.getByLabel('Time zone').selectOption('Pacific/Kiritimati');
  await page.getByLabel('First day of the week').selectOption('Monday');
  await page.getByLabel('Date format').selectOption('Nov 18, 2026');
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await expect(page.getByText('Preferences saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Time zone')).toHaveValue('Pacific/Kiritimati');
  await expect(page.getByLabel('Date format')).toHaveValue('MMM D, YYYY');

  await page.goto('/settings/trash');
  await expect(page.getByText('Mar 9, 2026')).toBeVisible();

  // An empty journal's day, in the zone that's first and in the one that's last.
  const weekday = page.getByRole('main');
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await api.call(updatePreferences, { body: { timeZone } });
    await page.goto('/');
    const today = new Intl.DateTimeFormat('en-US', { timeZone, month: 'long', day: 'numeric' });
    await expect(weekday.getByText(today.format(new Date()))).toBeVisible();
  }

  await insertEntry(sql, userId, { date: '2026-03-09' });
  await page.goto('/journals?view=calendar&month=2026-03');
  await expect(page.getByRole('columnheader')).toHaveText(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
  const [first] = await page.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(first, 'March 1, 2026 is a Sunday').toBe('');
});

test('the plan is a sentence, with the specified figures and everyday ones', async ({
  page,
  account,
  sql,
}) => {
  const userId = await userIdOf(sql, account.email);
  await page.goto('/settings/plan');
  await expect(
    page.getByText('You haven’t recorded anything yet. Free has space for 3 hours.'),
  ).toBeVisible();
  for (const date of ['2024-05-01', '2026-03-01']) {
    const id = await insertEntry(sql, userId, { date });
    await sql`update entries set duration_ms = 135000, bytes = 2100000000 where id = ${id}`;
  }
  await page.reload();
  const main = page.getByRole('main');
  await expect(main).toContainText(
    'You’ve recorded 4 minutes and 30 seconds. Free has space for 2 hours and 56 minutes more.',
  );
  await expect(main.getByText('4 min 30 s of 3 h')).toBeVisible();
  await expect(main.getByText('4.5 minutes of 3 hours')).toBeVisible();
  await expect(main.getByText('2 of 30')).toBeVisible();
  await expect(main.getByText('4.20 GB of 5.00 GB')).toBeVisible();
  await expect(main.getByText('800.00 MB more. Deleting entries frees up space right away.')).toBeVisible();
  await expect(
    main.getByRole('img', { name: /2024: 2 minutes and 15 seconds; 2026: 2 minutes and 15 seconds/ }),
  ).toBeVisible();
  await expect(main.getByRole('meter', { name: 'Storage' })).toHaveAttribute(
    'aria-valuetext',
    '4.20 GB of 5.00 GB',
  );
  await expect(main.getByText('Current plan')).toBeVisible();
  await expect(main.getByText('$0 a month')).toBeVisible();
  await expect(
    main.getByText('Basic has space for 400 videos, 35 hours, and 50 GB for $5 a month.'),
  ).toBeVisible();
});
