import { listEntries } from '@/lib/journal/entries/contract';
import { PROMPTS } from '@/lib/journal/shared/prompts';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { button, confirmReload, record, savedHere } from './recording-steps';

const [PROMPT = ''] = PROMPTS;

test('a question that’s answered belongs to the entry, and isn’t asked again that day', async ({
  account,
  api,
  page,
  sql,
}) => {
  await insertEntry(sql, await userIdOf(sql, account.email), { title: 'Earlier', date: '2026-01-01' });
  await page.goto('/');
  const asked = page.getByRole('main').getByRole('region', { name: /^To(night|day)’s question$/ });
  const question = (await asked.getByText(/\?$/).textContent()) ?? '';
  await asked.getByRole('link', { name: 'Record an answer' }).click();
  await expect(page.getByText(question)).toBeVisible();
  await record(page);
  await expect(page.getByRole('heading', { name: question })).toBeVisible();
  await page.getByLabel('Title').fill('What I answered');
  await button(page, 'Upload Video').click();
  await page.waitForURL('/journals');
  await page.goto('/journals?view=timeline');
  await expect(page.getByRole('listitem').getByText(question)).toBeVisible();

  await page.goto('/');
  const answered = page.getByRole('region', { name: 'Today’s answer' });
  await expect(answered).toContainText(question);
  await page.goto('/upload');
  await expect(button(page, 'Show a question')).toBeVisible();
  await expect(page.getByText(question)).toHaveCount(0);

  const [entry] = await api.call(listEntries);
  await page.goto(`/search?query=${encodeURIComponent(`"${question.replace('?', '')}"`)}`);
  await expect(page.getByRole('main').getByRole('link', { name: 'What I answered' }).first()).toBeVisible();
  await page.goto(`/entry/${entry?.id}`);
  await expect(page.getByText('You answered:')).toBeVisible();
});

test('the review changes and removes the question, which a reload keeps with the recording', async ({
  page,
}) => {
  await page.goto(`/upload?question=${PROMPTS.indexOf(PROMPT)}`);
  await record(page);
  await button(page, 'Edit question').click();
  await page.getByRole('textbox', { name: 'Question' }).fill('What did I almost forget?');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'What did I almost forget?' });
  await expect(heading).toBeVisible();
  await expect(button(page, 'Edit question')).toBeFocused();

  await button(page, 'Edit question').click();
  await button(page, 'Remove question').click();
  await expect(heading).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Keep this one?' })).toBeVisible();
  await button(page, 'Undo').click();
  await expect(heading).toBeVisible();

  await confirmReload(page);
  await expect(savedHere(page)).toBeVisible();
  await expect(page.getByText('What did I almost forget?')).toBeVisible();
  await button(page, 'Upload recovered recording').click();
  await page.waitForURL('/journals');
  await page.goto('/journals?view=timeline');
  await expect(page.getByText('What did I almost forget?')).toBeVisible();
});
