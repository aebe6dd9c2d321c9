import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

/** A sweep comes every 2 minutes. */
const SWEEP = { timeout: 150_000, intervals: [1000] };

test.use({ timezoneId: 'America/New_York' });

test('a reminder set on the empty dashboard arrives, and is turned off from the email', async ({
  page,
  guest,
  account,
  app,
  mailbox,
  sql,
}) => {
  test.slow();
  await page.goto('/');
  await page.getByLabel('Time', { exact: true }).selectOption('7:00 AM');
  await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York');
  await page.getByRole('button', { name: 'Remind me' }).click();
  await expect(page.getByText('We’ll email you every day at 7:00 AM, New York time.')).toBeFocused();
  await page.goto('/settings');
  const enabled = page.getByLabel('Remind me every day');
  await expect(enabled).toBeChecked();
  await expect(page.getByLabel('Time', { exact: true })).toHaveValue('7');
  await expect(page.getByLabel('Time zone')).toHaveValue('America/New_York');

  const userId = await userIdOf(sql, account.email);
  await sql`update reminders set due_at = now() where user_id = ${userId}`;
  const findEmail = async () =>
    (await mailbox.all(account.email)).find(({ text }) => text.includes('Record today'));
  await expect.poll(async () => Boolean(await findEmail()), SWEEP).toBe(true);
  const email = await findEmail();
  expect(email?.subject).toMatch(/\?$/);
  const source = await (await fetch(new URL(`/mail/${email?.id}`, app.addresses.mail))).text();
  expect(source).toContain('<dt>List-Unsubscribe-Post</dt><dd>List-Unsubscribe=One-Click</dd>');
  const [, oneClick = ''] = /<dt>List-Unsubscribe<\/dt><dd>&#60;(\S+)&#62;<\/dd>/.exec(source) ?? [];
  expect(oneClick).toContain(app.url);

  // Mail programs may open either address on their own.
  expect(email?.text).toMatch(/\/upload\?question=\d+\b/);
  const [link = ''] = /http\S+\/reminders\/off\/[\w.-]+/.exec(email?.text ?? '') ?? [];
  for (const address of [oneClick, link]) {
    await guest.goto(address);
    await expect(guest).toHaveURL(/\/reminders\/off\//);
    await expect(guest.getByRole('heading', { name: 'Turn off reminders?' })).toBeVisible();
  }
  await expectAccessibleInEveryAppearance(guest);
  await page.reload();
  await expect(enabled).toBeChecked();
  await guest.getByRole('button', { name: 'Turn off reminders' }).click();
  await expect(guest.getByRole('heading', { name: 'Reminders are off' })).toBeFocused();
  await page.reload();
  await expect(enabled).not.toBeChecked();

  await enabled.check();
  await page.getByRole('button', { name: 'Save reminder' }).click();
  await expect(page.getByText('We’ll email you at 7:00 AM, New York time.')).toBeVisible();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = () => fetch(oneClick, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' });
  expect((await post()).status).toBe(200);
  expect((await post()).status).toBe(200);
  await page.reload();
  await expect(enabled).not.toBeChecked();
});

test('a link that isn’t from a reminder says so', async ({ guest: page }) => {
  await page.goto('/reminders/off/none');
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});

test('the question of an empty journal is asked in the studio, unless questions are off', async ({
  page,
}) => {
  await page.goto('/');
  const question = page.getByRole('heading', { level: 2 }).first();
  const first = await question.textContent();
  await page.getByRole('button', { name: 'Another question' }).click();
  await expect(question).not.toHaveText(first ?? '');
  const chosen = (await question.textContent()) ?? '';
  await page.getByRole('link', { name: 'Record your first entry' }).click();
  await expect(page).toHaveURL(/\/upload\?question=\d+$/);
  const asked = page.getByRole('main').getByText(/^\D+\?$/);
  await expect(asked).toHaveText(chosen);
  await page.reload();
  await expect(asked).toHaveText(chosen);
  // Without one in the address, the studio asks what the home page asks.
  await page.goto('/upload');
  await expect(asked).toHaveText(first ?? '');

  await page.getByRole('button', { name: 'No question' }).click();
  await page.goto('/upload?question=3');
  await expect(page.getByRole('button', { name: 'Show a question' })).toBeVisible();
  await expect(asked).toHaveCount(0);
});

test('an empty journal offers three steps, and forgets those that are dismissed', async ({
  page,
  account,
  sql,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'A reminder' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  const question = page.getByRole('heading', { level: 2 }).first();
  const first = await question.textContent();
  await page.getByRole('button', { name: 'Another question' }).click();
  await expect(question).not.toHaveText(first ?? '');
  for (const step of ['A first question', 'Where words come from']) {
    const saved = page.waitForResponse(/\/api\/v1\/onboarding\/dismiss$/);
    await page.getByRole('button', { name: `Not now: ${step}` }).click();
    expect((await saved).status()).toBe(200);
    await expect(question).toBeFocused();
  }
  await page.goto('/journals');
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['A reminder']);
  await expect(page.getByRole('link', { name: 'Import videos you already have' })).toBeVisible();

  await insertEntry(sql, await userIdOf(sql, account.email));
  await page.goto('/');
  const saved = page.waitForResponse(/\/api\/v1\/onboarding\/dismiss$/);
  await page.getByRole('button', { name: 'Not now: a daily email' }).click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await expect(page.getByText('Total Entries: 1')).toBeVisible();
  await expect(page.getByText('Would a daily email')).toHaveCount(0);
});

test.describe('where it’s another day than for the server', () => {
  // UTC+14 or UTC-11. The server goes by UTC until it knows better.
  const timezoneId = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  test.use({ timezoneId });

  test('what was chosen before the server knew the time zone stays chosen', async ({ page }) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/\?_rsc=/, async (route) => {
      await answered;
      await route.continue();
    });
    await page.goto('/');
    const time = page.getByLabel('Time', { exact: true });
    await time.selectOption('7:00 AM');
    const day = { timeZone: timezoneId, month: 'long', day: 'numeric' } as const;
    const today = page.getByText(new Date().toLocaleDateString('en-US', day), { exact: true });
    await expect(today).toHaveCount(0);
    answer();
    await expect(today).toBeVisible();
    await expect(time).toHaveValue('7');
  });
});
