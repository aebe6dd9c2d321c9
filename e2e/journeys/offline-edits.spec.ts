import type { Locator, Page } from '@playwright/test';
import type { Edit } from '@/components/journal/offline-edits/edit';
import { getEntry } from '@/lib/journal/entries/contract';
import { deleteNote, editNote, postNote } from '@/lib/journal/notes/contract';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { WORDS } from './entry-steps';

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
const sent = (text: string) =>
  words(text).map(({ word, start_time, end_time }) => ({ word, startTime: start_time, endTime: end_time }));

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

  test('ask about what was changed elsewhere, and keep what’s chosen', async ({ page, api, watch }) => {
    watch.allowConsole(/status of 409/);
    const params = { id };
    const note = await api.call(postNote, { params, body: { text: 'Base' } });
    await api.call(editNote, { params: { id, noteId: note.id }, body: { text: 'Theirs' } });
    await api.call(saveTranscription, {
      params,
      body: { transcription: { words: sent('You called Don today. Dan laughed.') } },
    });
    await openWithEdits(page, owner, id, [
      {
        ...{ kind: 'changed-note', target: note.id, before: 'Base', text: 'Mine' },
        ...{ moment: null, deleted: false },
      },
      transcript('I called Dad today. Dan giggled.'),
    ]);
    await page.getByRole('button', { name: '2 changes need your decision' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your offline changes' });
    await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0);
    await waitUntilOpen(dialog);
    await expectAccessibleInEveryAppearance(page);
    await dialog.getByRole('button', { name: 'Save transcript' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Choose a version for each place first.');
    await dialog.getByRole('radio', { name: /Keep mine/ }).check();
    await dialog.getByRole('button', { name: 'Save transcript' }).click();
    await expect(dialog.getByRole('radio')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect(page.getByRole('status').filter({ hasText: saved })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    const entry = await api.call(getEntry, { params });
    expect(entry.notes.map(({ text }) => text)).toEqual(['Mine']);
    expect(entry.transcription.words.map(({ word }) => word).join(' ')).toBe(
      'You called Dad today. Dan giggled.',
    );
  });

  test('leave the journal as it is, if that’s chosen, and can be copied', async ({ page, api, watch }) => {
    watch.allowConsole(/status of 40[04]/);
    const note = await api.call(postNote, { params: { id }, body: { text: 'Base' } });
    await api.call(deleteNote, { params: { id, noteId: note.id } });
    await openWithEdits(page, owner, id, [
      {
        ...{ kind: 'changed-note', target: note.id, before: 'Base', text: 'Mine' },
        ...{ moment: null, deleted: false },
      },
      {
        ...{ kind: 'added-note', target: crypto.randomUUID(), text: 'x'.repeat(10_001) },
        ...{ moment: null, deleted: false, sentText: null },
      },
    ]);
    await page.getByRole('button', { name: '2 changes need your decision' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your offline changes' });
    await expect(dialog.getByText('Use at most 10000 characters.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Copy text' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep the journal’s' }).click();
    await dialog.getByRole('button', { name: 'Discard change' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: /need your decision/ })).toHaveCount(0);
    expect((await api.call(getEntry, { params: { id } })).notes).toEqual([]);
  });
});
