import type { Page } from '@playwright/test';
import type postgres from 'postgres';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { pauseRequests } from './pause-requests';

/** Adds entries named after the days of January, the last of which is the newest. */
async function insertDays(sql: postgres.Sql, email: string, count: number): Promise<string> {
  const userId = await userIdOf(sql, email);
  for (let day = 1; day <= count; day += 1) {
    await insertEntry(sql, userId, { title: `Day ${day}`, date: `2026-01-${String(day).padStart(2, '0')}` });
  }
  return userId;
}

const card = (page: Page, day: number) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: `Day ${day}`, exact: true }) });
const checkbox = (page: Page, day: number) =>
  page.getByRole('checkbox', { name: `Select Day ${day}`, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected entries' });
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('a range over three pages gets a new tag, and loses it by undo', async ({ page, account, sql }) => {
  const userId = await insertDays(sql, account.email, 14);
  const tagged = () => sql`
    select entries.title from entry_tags join entries on entries.id = entry_id where user_id = ${userId}`;
  await page.goto('/journals');
  await card(page, 12).hover();
  await checkbox(page, 12).check();
  await expect(said(page, '1 selected')).toHaveCount(1);
  await page.getByRole('link', { name: '3', exact: true }).click();
  await expect(page).toHaveURL('/journals?page=3');
  await card(page, 2).click({ modifiers: ['Shift'] });
  await expect(said(page, '11 selected')).toHaveCount(1);
  await card(page, 2).click();
  await expect(said(page, '10 selected')).toHaveCount(1);
  await page.keyboard.press('ControlOrMeta+a');
  await expect(said(page, '12 selected')).toHaveCount(1);
  await bar(page).getByRole('button', { name: 'Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 12 entries' });
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill('Winter');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'Winter' })).toBeChecked();
  await expectAccessibleInEveryAppearance(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card(page, 1)).toContainText('Winter');
  expect(await tagged()).toHaveLength(12);
  await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 1)).not.toContainText('Winter');
  expect(await tagged()).toHaveLength(0);
  expect(await sql`select from tags where user_id = ${userId}`).toHaveLength(0);
});

test('entries move to the trash and come back by undo, unless their space is gone', async ({
  page,
  account,
  sql,
  watch,
}) => {
  watch.allowConsole(/status of 403/);
  const userId = await insertDays(sql, account.email, 3);
  await page.goto('/journals');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  const remove = async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const day of [1, 3]) await card(page, day).click();
    await expectAccessibleInEveryAppearance(page);
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete 2 entries?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect(page.getByRole('article')).toHaveCount(1);
  };
  await remove();
  const undo = page.getByRole('button', { name: 'Undo' });
  const timerOf = (text: string) => said(page, text).getByRole('progressbar');
  const timer = timerOf('2 entries moved to the trash.');
  await expect(timer).toHaveCSS('animation-duration', '30s');
  await expect(timer).toHaveCSS('animation-play-state', 'running');
  await undo.focus();
  await expect(timer).toHaveCSS('animation-play-state', 'paused');
  await undo.blur();
  await expect(timer).toHaveCSS('animation-play-state', 'running');
  await undo.hover();
  await expect(timer).toHaveCSS('animation-play-state', 'paused');
  await undo.click();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(timerOf('Change undone.')).toHaveCSS('animation-duration', '5s');
  await expect(undo).toHaveCount(0);
  await remove();
  for (let n = 0; n < 28; n += 1) await insertEntry(sql, userId, { title: 'Another day' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText("You have reached your plan's quota.")).toBeVisible();
});

test('a name that was only typed becomes a tag on saving, and the dialog stays until then', async ({
  page,
  account,
  sql,
}) => {
  await insertDays(sql, account.email, 1);
  await page.goto('/journals');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await card(page, 1).click();
  await bar(page).getByRole('button', { name: 'Tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 1 entry' });
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill('Harbor');
  const release = await pauseRequests(page, '**/api/v1/bulk/entries/tags');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  release();
  await expect(card(page, 1)).toContainText('Harbor');
});

test('entries that are gone are deselected, and the rest can be tried again', async ({
  page,
  account,
  sql,
  watch,
}) => {
  watch.allowConsole(/status of 404/);
  const userId = await insertDays(sql, account.email, 3);
  await page.goto('/journals');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const day of [1, 2, 3]) await card(page, day).click();
  await sql`update entries set trashed_at = now() where user_id = ${userId} and title = 'Day 2'`;
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Some of these entries aren’t there anymore.')).toBeVisible();
  await expect(dialog).toHaveAccessibleName('Delete 2 entries?');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(0);
  await sql`update entries set trashed_at = null where user_id = ${userId} and title = 'Day 1'`;
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('We couldn’t undo this')).toBeVisible();
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('a long press starts selecting, and a date changes', async ({ page, account, sql }) => {
    await insertDays(sql, account.email, 3);
    await page.goto('/journals');
    await expect(checkbox(page, 3)).toHaveCount(1);
    const session = await page.context().newCDPSession(page);
    const box = await card(page, 3).boundingBox();
    const touchPoints = [{ x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 100 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await expect(said(page, '1 selected')).toHaveCount(1);
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    const link = card(page, 3).getByRole('link', { name: 'Day 3', exact: true });
    await link.press('Enter');
    await expect(said(page, 'Select entries')).toHaveCount(1);
    await link.press('Enter');
    await expect(said(page, '1 selected')).toHaveCount(1);
    await card(page, 2).tap();
    await expect(said(page, '2 selected')).toHaveCount(1);
    await expect(page).toHaveURL('/journals');
    await bar(page).getByRole('button', { name: 'Change date' }).tap();
    await page.getByRole('radio', { name: 'Move every date' }).check();
    const change = page.getByRole('dialog').getByRole('button', { name: 'Change date' });
    await page.getByRole('textbox', { name: 'Days' }).fill('9999');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('Later');
    await change.tap();
    await expect(page.getByText('This would move 2 entries into the future.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Days' }).fill('10');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('Earlier');
    await change.tap();
    await expect(card(page, 3)).toContainText('2025-12-24');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(card(page, 3)).toContainText('2026-01-03');
    await expect(card(page, 2)).toContainText('2026-01-02');
  });
});
