import type { Page } from '@playwright/test';
import type postgres from 'postgres';
import { listTrash } from '@/lib/journal/entries/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

const GB = 1e9;
const PURGED = (entries: string) =>
  `The trash is full, so the ${entries} been there longest will be deleted forever.`;

/** Puts an entry of a size into an account's journal, or into its trash a number of hours ago. */
async function insertSized(
  sql: postgres.Sql,
  email: string,
  title: string,
  bytes: number,
  hours = 0,
): Promise<string> {
  const id = await insertEntry(sql, await userIdOf(sql, email), { title, videoStatus: 'failed' });
  await sql`update entries set bytes = ${bytes} where id = ${id}`;
  if (hours > 0)
    await sql`update entries set trashed_at = now() - ${hours} * interval '1 hour' where id = ${id}`;
  return id;
}

const titlesInTrash = async (api: { call(route: typeof listTrash): Promise<{ title: string }[]> }) =>
  (await api.call(listTrash)).map(({ title }) => title);

async function select(page: Page, titles: readonly string[]): Promise<void> {
  await page.goto('/journals');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const title of titles) await page.getByRole('article').filter({ hasText: title }).click();
  await page
    .getByRole('region', { name: 'Selected entries' })
    .getByRole('button', { name: 'Delete' })
    .click();
}

test('says what deleting an entry deletes from a full trash, before it does', async ({
  page,
  account,
  api,
  sql,
}) => {
  const { email } = account;
  await insertSized(sql, email, 'Oldest', 2 * GB, 9);
  await insertSized(sql, email, 'Older', 2 * GB, 8);
  await insertSized(sql, email, 'Old', 1 * GB, 7);
  const id = await insertSized(sql, email, 'Today', 3 * GB);
  const small = await insertSized(sql, email, 'Small', 1000);

  await page.goto('/settings/trash');
  await expect(page.getByText('5.00 GB of 5.00 GB')).toBeVisible();
  await expect(
    page.getByText(/^Deleted entries stay here for up to 30 days.*to make space\.$/),
  ).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  const dialog = page.getByRole('dialog', { name: 'Delete this entry?' });
  const open = async (entry: string) => {
    await page.goto(`/entry/${entry}`);
    await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
  };
  await open(id);
  await expect(dialog.getByText(PURGED('2 entries that have'))).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await titlesInTrash(api)).toEqual(['Old', 'Older', 'Oldest']);

  // A press before the sentence is there waits for it, and then has to be repeated.
  await page.goto('/journals');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/remove/preview', async (route) => {
    await held;
    await route.continue();
  });
  await open(small);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  answer();
  await expect(dialog.getByText(PURGED('entry that has'))).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeEnabled();
  expect(await titlesInTrash(api)).toEqual(['Old', 'Older', 'Oldest']);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Entry moved to the trash.')).toBeVisible();
  expect(await titlesInTrash(api)).toEqual(['Small', 'Old', 'Older']);
  await page.getByRole('button', { name: 'Undo' }).click();
  // The page of the entry may still be there.
  await expect.poll(() => titlesInTrash(api)).toEqual(['Old', 'Older']);
  await expect(page).toHaveURL(new RegExp(`/entry/${small}`));
});

test('says it for a selection, and nothing while the trash has space', async ({
  page,
  account,
  api,
  sql,
}) => {
  const { email } = account;
  await insertSized(sql, email, 'Oldest', 1 * GB, 9);
  for (const title of ['One', 'Two']) await insertSized(sql, email, title, 2 * GB);
  await insertSized(sql, email, 'Three', 1 * GB);
  await select(page, ['One', 'Two']);
  const dialogOfTwo = page.getByRole('dialog', { name: 'Delete 2 entries?' });
  await dialogOfTwo.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 entries moved to the trash.')).toBeVisible();
  expect(await titlesInTrash(api)).toHaveLength(3);

  await select(page, ['Three']);
  const dialog = page.getByRole('dialog', { name: 'Delete 1 entry?' });
  await expect(dialog.getByText(PURGED('entry that has'))).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('1 entry moved to the trash.')).toBeVisible();
  expect(await titlesInTrash(api)).not.toContain('Oldest');
});
