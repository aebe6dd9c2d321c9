import type { Page } from '@playwright/test';
import { newAccountDetails } from '@/e2e/accounts';
import { expect, test } from '@/e2e/fixtures';

/** What Tab reaches until the focus is on this name; fails when it does not come within 40 steps. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    const [label] = await focused.evaluateAll((elements) =>
      elements.map((element) => {
        const labels =
          element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
        return (
          element.getAttribute('aria-label') ??
          labels?.[0]?.textContent ??
          element.textContent ??
          ''
        ).trim();
      }),
    );
    if (label && name.test(label)) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

test('a keyboard alone signs up, verifies, logs out and logs in', async ({ guest, mailbox }) => {
  const { email, password } = newAccountDetails();
  await guest.goto('/');
  await tabTo(guest, /^Signup$/);
  await guest.keyboard.press('Enter');
  await expect(guest).toHaveURL('/signup');
  await tabTo(guest, /^Email$/);
  await guest.keyboard.type(email);
  await tabTo(guest, /^First name$/);
  await guest.keyboard.type('Ada');
  await tabTo(guest, /^Last name$/);
  await guest.keyboard.type('Lovelace');
  await tabTo(guest, /^Gender$/);
  await guest.keyboard.type('female');
  await tabTo(guest, /^Date of birth$/);
  await guest.keyboard.type('12101990');
  await tabTo(guest, /^Password$/);
  await guest.keyboard.type(password);
  await expect(guest.getByText('Password strength: Strong')).toBeVisible();
  await guest.keyboard.press('Enter');
  await expect(
    guest.getByRole('heading', { name: 'Please check your email to finish verifying your account.' }),
  ).toBeFocused();

  await guest.goto((await mailbox.wait(email, /verify/i)).link);
  await expect(guest.getByRole('heading', { name: 'You are verified!' })).toBeFocused();
  await tabTo(guest, /^Record your first entry$/);
  await guest.keyboard.press('Enter');
  await expect(guest).toHaveURL('/upload');

  await guest.goto('/settings');
  await expect(guest.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await tabTo(guest, /^Logout$/);
  await guest.keyboard.press('Enter');
  await expect(guest).toHaveURL('/login');
  await guest.goto('/journals');
  await expect(guest).toHaveURL('/login?next=%2Fjournals');

  await guest.goto('/login');
  await tabTo(guest, /^Email$/);
  await guest.keyboard.type(email);
  await tabTo(guest, /^Password$/);
  await guest.keyboard.type(password);
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('heading', { name: 'Welcome to Your Video Journal' })).toBeVisible();
  await expect(guest).toHaveURL('/');
});

test('tabs whose access part has expired renew it once between them', async ({
  page,
  context,
  anonymous,
  watch,
}) => {
  watch.allowConsole(/status of 401/);
  const tabs = [page, ...(await Promise.all([1, 2, 3, 4].map(() => context.newPage())))];
  for (const tab of tabs) {
    await tab.goto('/settings');
    await tab.getByLabel('First name').fill('Grace');
  }
  let everyoneRefused = () => {};
  const gate = new Promise<void>((resolve) => {
    everyoneRefused = resolve;
  });
  const refused = new Set<Page>();
  // Cleared from the browser, the cookie could come back by a page that is being prefetched.
  await context.route('**/profile_details', async (route) => {
    const tab = route.request().frame().page();
    if (refused.has(tab)) return route.fallback();
    const answer = await anonymous.send('POST', '/api/v1/profile_details');
    await route.fulfill({ status: answer.status, json: await answer.json() });
    refused.add(tab);
    if (refused.size === tabs.length) everyoneRefused();
  });
  // The renewal waits until the calls of all tabs were refused, so that each of them wants it.
  let renewals = 0;
  await context.route('**/token/refresh', async (route) => {
    renewals += 1;
    await gate;
    await route.fallback();
  });
  const updated = tabs.map((tab) =>
    tab.waitForResponse((response) => response.url().endsWith('/profile_details') && response.ok()),
  );
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Update Profile' }).click()));
  await Promise.all(updated);
  expect(renewals).toBe(1);
});

test('another site cannot log anybody out by a link to the page', async ({ page, app }) => {
  // The same machine by another name is another site to the browser.
  const elsewhere = app.url.replace('localhost', '127.0.0.1');
  await page.goto(`${elsewhere}/login`);
  await page.evaluate((url) => window.location.assign(url), `${app.url}/logout`);
  await expect(page.getByRole('heading', { name: 'Do you want to log out?' })).toBeVisible();
  await page.goto('/journals');
  await expect(page.getByRole('heading', { name: 'My Journal Entries' })).toBeVisible();
  await page.goto('/logout');
  await expect(page).toHaveURL('/login');
});
