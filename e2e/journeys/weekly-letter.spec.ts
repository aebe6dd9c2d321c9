import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { insertTranscript } from './entry-steps';

/** A sweep comes every 2 minutes. */
const SWEEP = { timeout: 150_000, intervals: [1000] };

test.use({ timezoneId: 'America/New_York' });

test('a weekly letter quotes the week, leads to the moment, and is turned off from the email', async ({
  page,
  guest,
  account,
  app,
  mailbox,
  sql,
}) => {
  test.slow();
  const userId = await userIdOf(sql, account.email);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
  const entryId = await insertEntry(sql, userId, { title: 'A call', date: today });
  await insertTranscript(sql, entryId);

  await page.goto('/settings/profile');
  await expect(page.getByText('Anyone who can read your email can read it.')).toBeVisible();
  const enabled = page.getByLabel(/Send me a letter on Sundays at 6:00 PM/);
  await expect(enabled).not.toBeChecked();
  await enabled.check();
  await page.getByRole('button', { name: 'Save letter' }).click();
  await expect(page.getByText('We’ll write to you on Sundays at 6:00 PM, New York time.')).toBeVisible();
  await page.reload();
  await expect(enabled).toBeChecked();

  await sql`update weekly_letters set due_at = now() where user_id = ${userId}`;
  const letters = async () =>
    (await mailbox.all(account.email)).filter(({ subject }) => subject.startsWith('Your week in'));
  await expect.poll(async () => (await letters()).length, SWEEP).toBe(1);
  const [letter] = await letters();
  expect(letter?.subject).toBe('Your week in one sentence');
  expect(letter?.text).toContain('I called Dan today.');
  const [moment = ''] = /http\S+\/entry\/[\w-]+\?t=\d+/.exec(letter?.text ?? '') ?? [];
  expect(moment).toContain(entryId);
  await page.goto(moment);
  await expect(page).toHaveTitle(/A call/);

  const source = await (await fetch(new URL(`/mail/${letter?.id}`, app.addresses.mail))).text();
  expect(source).toContain('<dt>List-Unsubscribe-Post</dt><dd>List-Unsubscribe=One-Click</dd>');
  const [link = ''] = /http\S+\/reminders\/off\/[\w.-]+/.exec(letter?.text ?? '') ?? [];
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'Turn off the weekly letter?' })).toBeVisible();
  await expectAccessibleInEveryAppearance(guest);
  await guest.getByRole('button', { name: 'Turn off the letter' }).click();
  await expect(guest.getByRole('heading', { name: 'The weekly letter is off' })).toBeFocused();
  await page.goto('/settings/profile');
  await expect(enabled).not.toBeChecked();
});
