import { getEntry } from '@/lib/journal/entries/contract';
import { listTags } from '@/lib/journal/tags/contract';
import { listRevisions } from '@/lib/journal/transcripts/contract';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { insertTranscript, toast } from './entry-steps';

const FULL = 'Your journal has 200 MB of text, which is the limit.';

test.beforeEach(({ watch }) => watch.allowConsole(/status of 403/));

test('a note and a tag that the journal has no space for stay where they were typed', async ({
  page,
  api,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4());
  await sql`update entries set text_bytes = 200000000 where id = ${id}`;
  await page.goto(`/entry/${id}`);
  const note = page.getByRole('textbox', { name: 'Additional notes' });
  await note.fill('What I want to remember');
  await page.getByRole('button', { name: 'Post Note' }).click();
  await expect(toast(page, FULL)).toContainText('Delete notes, or delete entries forever, then try again.');
  await expect(note).toHaveValue('What I want to remember');
  await page.reload();
  await expect(note).toHaveValue('What I want to remember');

  const picker = page.getByRole('combobox', { name: 'Add tag' });
  await picker.fill('Lighthouse');
  await picker.press('Enter');
  await expect(toast(page, FULL)).toBeVisible();
  await expect(picker).toHaveValue('Lighthouse');
  expect((await api.call(getEntry, { params: { id } })).notes).toEqual([]);
  expect((await api.call(listTags)).categories).toEqual([]);

  await sql`update entries set text_bytes = 0 where id = ${id}`;
  await page.getByRole('button', { name: 'Post Note' }).click();
  await expect(note).toHaveValue('');
  await picker.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove tag Lighthouse' })).toBeVisible();
});

test('a correction is saved in a full journal, and the history says what made space for it', async ({
  page,
  api,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { wait: 'transcript' });
  await insertTranscript(sql, id);
  await sql`insert into transcripts (entry_id, revision, words)
    select ${id}, n, jsonb_build_array(jsonb_build_array(repeat('version' || n, 20), 0.2, 0.4)) from generate_series(1, 24) as n`;
  await sql`update entries set text_bytes = 200000000 where id = ${id}`;
  const save = async (text: string) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Transcript text' }).fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  const openHistory = async () => {
    await page.getByRole('button', { name: 'Transcript actions' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
  };
  const removed = page.getByText('Older versions were removed to free up space.');

  await page.goto(`/entry/${id}`);
  await openHistory();
  await expect(page.getByRole('heading', { name: 'Correction 24' })).toBeVisible();
  await expect(removed).toHaveCount(0);
  await page.keyboard.press('Escape');

  await save('What I meant');
  await expect(page.getByRole('group', { name: 'Transcript words' })).toContainText('What I meant');
  const saved = (await api.call(listRevisions, { params: { id } })).map(({ revision }) => revision);
  expect([saved[0], saved.at(-2), saved.at(-1)]).toEqual([25, 2, 0]);
  await openHistory();
  await expect(removed).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Original transcript' })).toHaveCount(1);
  await page.keyboard.press('Escape');

  // Nothing is left to remove that would be enough.
  await sql`update entries set text_bytes = 260000000 where id = ${id}`;
  await save('What I really meant');
  await expect(toast(page, FULL)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Transcript text' })).toHaveValue('What I really meant');
});
