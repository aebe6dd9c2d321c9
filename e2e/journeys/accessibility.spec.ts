import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';

test('pages for visitors are accessible in every look', async ({ guest: page, watch }) => {
  test.slow();
  watch.allowConsole(/status of 40[014]/);
  for (const [path, text] of [
    ['/', 'A private journal you keep by talking'],
    ['/login', 'Welcome back'],
    ['/signup', 'Start your journal'],
    ['/reset_password', 'Forgot your password?'],
    ['/reset/none/none/', 'Set a new password'],
    ['/verify_email', 'One more step'],
    ['/verify_email/none/none/', 'We couldn’t verify your account with this link'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: text })).toBeVisible();
    await expectAccessibleInEveryAppearance(page);
  }
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Signup' }).click();
  await expect(page.getByText('Choose a password.')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  // Calls without an answer keep their pages waiting.
  await page.route(/\/api\/v1\/(logout|verify_email)/, () => {});
  for (const [path, text] of [
    ['/verify_email/none/none/', 'Trying to verify...'],
    ['/logout', 'Logging out...'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
    await expectAccessibleInEveryAppearance(page);
  }
});

test('pages of the journal are accessible in every look', async ({ page, account, upload, sql, watch }) => {
  test.slow();
  watch.allowConsole(/status of 404/);
  const userId = await userIdOf(sql, account.email);
  await page.goto('/journals');
  await expect(page.getByText('Your journal is empty.')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  const { id } = await upload(await h264Mp4(), { title: 'Sun '.repeat(49), wait: 'transcript' });
  await sql`insert into transcripts (entry_id, revision, words)
    values (${id}, 0, ${sql.json([
      ['first', 0.2, 0.5],
      ['second', 0.8, 1.2],
    ])})`;
  await sql`update entries set transcript_status = 'completed' where id = ${id}`;
  await sql`insert into notes (id, entry_id, text) values (gen_random_uuid(), ${id}, ${'x'.repeat(300)})`;
  const tag = crypto.randomUUID();
  await sql`insert into tags (id, user_id, name, color) values (${tag}, ${userId}, 'Sun', '#FFFF00')`;
  await sql`insert into entry_tags (entry_id, tag_id) values (${id}, ${tag})`;
  const processing = await insertEntry(sql, userId, { videoStatus: 'processing' });
  const failed = await insertEntry(sql, userId, { videoStatus: 'failed', videoError: 'This is no video.' });
  for (let day = 1; day <= 5; day += 1) await insertEntry(sql, userId, { date: `2025-01-0${day}` });

  for (const [path, text] of [
    ['/', 'Total Entries: 8'],
    ['/journals', 'My Journal Entries'],
    ['/upload', 'Start Recording'],
    [`/entry/${id}`, 'second'],
    [`/entry/${processing}`, 'Processing your recent upload.'],
    [`/entry/${failed}`, 'This is no video.'],
    [`/entry/${tag}`, 'We can’t find that page'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.getByText('Loading...', { exact: true }).and(page.getByRole('status'))).toHaveCount(0);
    await expectAccessibleInEveryAppearance(page);
  }

  await page.goto(`/entry/${failed}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeFocused();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  await sql`update entries set bytes = 5000000000 where id = ${id}`;
  await page.goto('/upload');
  const plans = page.getByRole('dialog', { name: 'Plan Selection Modal' });
  await expect(plans.getByRole('button', { name: 'Current Plan' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await plans.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText("You have reached your plan's quota.")).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
});
