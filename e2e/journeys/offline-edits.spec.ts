import type { Locator, Page } from '@playwright/test';
import type { Edit } from '@/components/journal/offline-edits/edit';
import { getEntry } from '@/lib/journal/entries/contract';
import { deleteNote, editNote, postNote } from '@/lib/journal/notes/contract';
import { h264Mp4 } from '@/test/media/clips';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { insertTranscript, WORDS } from './entry-steps';
import { keep } from './kept-steps';
import { OFFLINE_ERRORS, prepareOffline } from './offline-steps';

type Values = Edit extends infer Any
  ? Any extends Edit
    ? Omit<Any, 'version' | 'owner' | 'entryId' | 'title' | 'madeAt' | 'problem'>
    : never
  : never;

/** Stores edits as a page without a network does, and opens a page of the journal. */
async function openWithEdits(page: Page, owner: string, entryId: string, values: Values[]): Promise<void> {
  const common = { owner, entryId, title: 'A walk', version: 'first', problem: null };
  const edits = values.map((one, index) => ({ ...common, ...one, madeAt: Date.now() - 1000 + index }));
  await page.goto('/settings');
  await page.evaluate(
    ([account, all]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('daylight-edits', 1);
        opening.onupgradeneeded = () =>
          opening.result.createObjectStore('edits', { keyPath: ['owner', 'entryId', 'target'] });
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('edits', 'readwrite');
          for (const edit of all) transaction.objectStore('edits').put(edit);
          transaction.oncomplete = () => {
            opening.result.close();
            localStorage.setItem('daylight-edits', account);
            resolve();
          };
        };
      }),
    [owner, edits] as const,
  );
  await page.goto(`/entry/${entryId}`);
}

/** Waits until a dialog has its final colors and place. */
const waitUntilOpen = (dialog: Locator) =>
  dialog.evaluate(async (panel) => {
    const moving = [panel, panel.parentElement].flatMap((element) => element?.getAnimations() ?? []);
    await Promise.all(moving.map(({ finished }) => finished));
  });

const saved = 'Your offline changes are saved.';
const words = (text: string) =>
  text.split(' ').map((word, index) => {
    const [, start_time = 0, end_time = 0] = WORDS[index] ?? [];
    return { word, start_time, end_time };
  });
test.describe('edits that were made without a network', () => {
  let owner = '';
  let id = '';
  test.beforeEach(async ({ account, sql }) => {
    owner = await userIdOf(sql, account.email);
    id = await insertEntry(sql, owner, { title: 'A walk' });
    await sql`insert into transcripts (entry_id, revision, words) values (${id}, 0, ${sql.json(WORDS)})`;
    await sql`update entries set transcript_status = 'completed', duration_ms = 5000 where id = ${id}`;
  });

  const base = words('I called Dan today. Dan laughed.');
  const transcript = (text: string): Values => ({
    ...{ kind: 'corrected-transcript', target: 'transcript', revision: 0 },
    ...{ base, words: words(text) },
  });

  test('are sent on the next page, and said to be saved', async ({ page, api }) => {
    const note = { moment: null, deleted: false };
    const target = crypto.randomUUID();
    await openWithEdits(page, owner, id, [
      { ...note, kind: 'added-note', target, text: 'Written on the train', sentText: null },
      transcript('I called Dad today. Dad laughed.'),
    ]);
    await expect(page.getByRole('status').filter({ hasText: saved })).toBeVisible();
    await expect(page.getByText('Written on the train')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Transcript words' })).toContainText('Dad laughed.');
    const { notes, transcription } = await api.call(getEntry, { params: { id } });
    expect(notes.map(({ text }) => text)).toEqual(['Written on the train']);
    expect(transcription.revision).toBe(1);
    await page.reload();
    await expect(page.getByText('Written on the train')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('daylight-edits'))).toBeNull();
  });

  test('can be copied or discarded if they can’t be saved', async ({ page, api, watch }) => {
    watch.allowConsole(/status of 400/);
    await openWithEdits(page, owner, id, [
      {
        ...{ kind: 'added-note', target: crypto.randomUUID(), text: 'x'.repeat(10_001) },
        ...{ moment: null, deleted: false, sentText: null },
      },
    ]);
    await page.getByRole('button', { name: '1 change couldn’t be saved' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your offline changes' });
    await expect(dialog.getByText('Use at most 10000 characters.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Copy text' })).toBeVisible();
    await waitUntilOpen(dialog);
    await expectAccessibleInEveryAppearance(page);
    await dialog.getByRole('button', { name: 'Discard change' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: /couldn’t be saved/ })).toHaveCount(0);
    expect((await api.call(getEntry, { params: { id } })).notes).toEqual([]);
  });
});

test.describe('an entry that’s changed on two devices', () => {
  test.use({ serviceWorkers: 'allow' });

  async function change(page: Page, transcript: string, note: string): Promise<void> {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Transcript text').fill(transcript);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByLabel('Transcript text')).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit note' }).click();
    await page.getByRole('textbox', { name: 'Edit note' }).fill(note);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('listitem').getByText(note, { exact: true })).toBeVisible();
  }

  test('has what arrives later, the other version in its history, and both notes', async ({
    page,
    context,
    guest: other,
    account,
    api,
    upload,
    sql,
    watch,
  }) => {
    watch.allowConsole(OFFLINE_ERRORS);
    watch.allowConsole(/status of 409/);
    const { id } = await upload(await h264Mp4(), { title: 'A walk', wait: 'transcript' });
    await insertTranscript(sql, id);
    await api.call(postNote, { params: { id }, body: { text: 'Ask Dan' } });
    await prepareOffline(page);
    await keep(page, id);
    await context.setOffline(true);
    await page.goto(`/entry/${id}`);
    await change(page, 'I called Dad today. Dan giggled.', 'Ask Dad');

    await other.goto('/login');
    await other.getByLabel('Email').fill(account.email);
    await other.getByLabel('Password', { exact: true }).fill(account.password);
    await other.getByRole('button', { name: 'Login' }).click();
    await expect(other.getByText('Total Entries: 1')).toBeVisible();
    await other.goto(`/entry/${id}`);
    await change(other, 'You called Don today. Dan laughed.', 'Ask Don');

    await context.setOffline(false);
    const notice = page.getByText('Changed on two devices. Both versions are in History.', { exact: true });
    await expect(page.getByRole('status').and(notice)).toBeVisible();
    await page.getByRole('button', { name: 'Open the full page' }).click();
    const transcript = page.getByRole('group', { name: 'Transcript words' });
    await expect(transcript).toHaveText(/You called Dad today\. Dan giggled\.\s*$/);
    for (const note of ['Ask Dad', 'Ask Don'])
      await expect(page.getByRole('listitem').getByText(note, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Open history' }).click();
    const history = page.getByRole('dialog', { name: 'Transcript history' });
    await history.getByRole('button', { name: 'Read Correction 1' }).click();
    await expect(history.getByText('You called Don today. Dan laughed.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toHaveCount(0);
    await page.reload();
    await expect(transcript).toBeVisible();
    await expect(notice).toHaveCount(0);
    expect((await api.call(getEntry, { params: { id } })).transcription.revision).toBe(2);
  });

  test('has both notes, too, if neither device is offline', async ({ page, account, api, sql, watch }) => {
    watch.allowConsole(/status of 40[49]/);
    const id = await insertEntry(sql, await userIdOf(sql, account.email));
    const params = { id };
    const { id: noteId } = await api.call(postNote, { params, body: { text: 'Ask Dan' } });
    await page.goto(`/entry/${id}`);
    const changeNote = async (text: string) => {
      await page.getByRole('button', { name: 'Edit note' }).last().click();
      await page.getByRole('textbox', { name: 'Edit note' }).fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    const shown = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit note' }) });
    await api.call(editNote, { params: { id, noteId }, body: { text: 'Ask Don' } });
    await changeNote('Ask Dad');
    await expect(shown).toContainText(['Ask Dad', 'Ask Don']);
    await api.call(deleteNote, { params: { id, noteId } });
    await changeNote('Ask Mum');
    await expect(shown).toContainText(['Ask Mum', 'Ask Dad']);
    const { notes } = await api.call(getEntry, { params });
    expect(notes.map(({ text }) => text)).toEqual(['Ask Mum', 'Ask Dad']);
  });
});
