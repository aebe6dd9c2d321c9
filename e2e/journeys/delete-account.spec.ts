import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

test('an account’s deletion says what goes, signs out, and can be canceled at the next login', async ({
  page,
  account,
  sql,
  mailbox,
}) => {
  const userId = await userIdOf(sql, account.email);
  for (const title of ['One', 'Two']) await insertEntry(sql, userId, { title });
  await page.goto('/settings/data');
  await expect(page.getByRole('listitem').filter({ hasText: '2 entries' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByLabel('Current password').fill(account.password);
  // Otherwise, the header would lie over the links that scrolled below it.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByText('We’ll delete your account on')).toBeVisible();
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page).toHaveURL('/login');
  await mailbox.wait(account.email, /^Your account will be deleted on \w+day, \w+ \d+ \(UTC\)$/);

  async function logIn(): Promise<void> {
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Keep your account?' })).toBeVisible();
  }
  await logIn();
  await expectAccessibleInEveryAppearance(page);
  // Whatever page is opened, until there's an answer.
  await page.goto('/journals');
  await expect(page.getByRole('heading', { name: 'Keep your account?' })).toBeVisible();
  await page.getByRole('button', { name: 'Decide later' }).click();
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByText('Your account will be deleted on')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
  await logIn();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page).toHaveURL('/');
  await mailbox.wait(account.email, /^Your account won’t be deleted$/);
  await page.goto('/settings/data');
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeVisible();
  await expect(page.getByText('Your account will be deleted on')).toBeHidden();
});
