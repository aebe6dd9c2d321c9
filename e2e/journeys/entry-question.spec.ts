import { getEntry } from '@/lib/journal/entries/contract';
import { PROMPTS } from '@/lib/journal/shared/prompts';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { yearsAgo } from './days';
import { insertTranscript, WORDS } from './entry-steps';

const [PROMPT = ''] = PROMPTS;

test('an entry’s question is changed and removed in place, by the keyboard, and comes back', async ({
  account,
  api,
  page,
  sql,
}) => {
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'Lights' });
  await sql`update entries set question = ${PROMPT} where id = ${id}`;
  const stored = async () => (await api.call(getEntry, { params: { id } })).question;
  await page.goto(`/entry/${id}`);
  const heading = page.getByRole('heading', { level: 2, name: PROMPT });
  await expect(heading).toBeVisible();
  await page.getByRole('button', { name: 'Edit question' }).press('Enter');
  const field = page.getByRole('textbox', { name: 'Question' });
  await expect(field).toBeFocused();
  await field.fill('Which lights are on?');
  await page.keyboard.press('Escape');
  await expect(heading).toBeVisible();
  expect(await stored()).toBe(PROMPT);

  await page.getByRole('button', { name: 'Edit question' }).press('Enter');
  await field.fill('Which lights are on?');
  await page.keyboard.press('Enter');
  const changed = page.getByRole('heading', { level: 2, name: 'Which lights are on?' });
  await expect(changed).toBeVisible();
  await expect.poll(stored).toBe('Which lights are on?');
  await page.reload();
  await expect(changed).toBeVisible();

  await page.getByRole('button', { name: 'Edit question' }).click();
  await page.getByRole('button', { name: 'Remove question' }).click();
  await expect(changed).toHaveCount(0);
  await expect.poll(stored).toBeNull();
  await expect(page.getByText('Question removed.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(changed).toBeVisible();
  await expect.poll(stored).toBe('Which lights are on?');
});

// The page is the same wherever its readers are.
test.use({ timezoneId: 'UTC' });

test('a year later, the day asks again beside the old answer', async ({ account, page, sql }) => {
  const userId = await userIdOf(sql, account.email);
  const id = await insertEntry(sql, userId, { title: 'Bulbs', date: yearsAgo(1) });
  await sql`update entries set question = ${PROMPT} where id = ${id}`;
  await insertTranscript(sql, id, WORDS);
  await page.goto('/');
  const asked = page.getByRole('main').getByRole('region', { name: /^To(night|day)’s question$/ });
  await expect(asked).toContainText(PROMPT);
  await expect(asked).toContainText('I called Dan today.');
  await asked.getByRole('button', { name: 'Another question' }).click();
  await expect(asked).not.toContainText('I called Dan today.');
  await page.goto('/upload');
  await expect(page.getByRole('main').getByText(PROMPT)).toBeVisible();
  await page.goto('/');
  await asked.getByRole('link', { name: /^Your answer (one year|four years) ago$/ }).click();
  await expect(page.getByRole('heading', { level: 2, name: PROMPT })).toBeVisible();
});
