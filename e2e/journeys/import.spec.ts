import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { archivedEntry, archivedJournal, archivedTranscript, archiveOf } from '@/test/archive-writer';
import { h264Mp4 } from '@/test/media/clips';
import { clipFolder } from '@/test/media/encode';
import { userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { confirmReload } from './recording-steps';
import {
  countParts,
  expectSingleEntry,
  expectStored,
  largeVideo,
  MEGABYTE,
  throttleNetwork,
  waitForProgress,
} from './upload-steps';

/** Chooses files, as by the picker of a browser without handles. */
const chooseFiles = (page: Page, files: Parameters<Page['setInputFiles']>[1]) =>
  page.locator('input[aria-label="Files to import"]').setInputFiles(files);

test('an archive comes back with its words and notes, and only once', async ({ page, api }) => {
  const video = await readFile(await h264Mp4());
  const files = new Map<string, Buffer>();
  const trip = { id: 'trip', name: 'Trip', color: '#336699' };
  const note = { id: 'note', text: 'Call again', moment: 1.5, createdAt: '2024-05-04T08:00:00.000Z' };
  const entry = archivedEntry(files, video, { tags: [trip.id], notes: [note] });
  const broken = archivedEntry(files, Buffer.alloc(5000, 1), { title: 'Broken', date: '2025-01-31' });
  const long = archivedEntry(files, Buffer.alloc(10), { title: 'Too long', duration: 99_999 });
  files.set(broken.original?.path ?? '', Buffer.alloc(5000, 2));
  const archive = {
    name: 'journal.zip',
    mimeType: 'application/zip',
    buffer: archiveOf(archivedJournal([entry, broken, long], { tags: [trip] }), files),
  };
  await page.goto('/settings/data');
  await page.getByRole('link', { name: 'Import videos' }).click();
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  const part = page.getByRole('main');
  await chooseFiles(page, { ...archive, buffer: archive.buffer.subarray(0, -100) });
  await expect(part.getByText('This isn’t a ZIP file, or part of it is missing.')).toBeVisible();
  await chooseFiles(page, archive);
  await expect(part.getByText('3 entries from 2024 to 2025')).toBeVisible();
  await expect(part.getByText('1 won’t fit in your plan')).toBeVisible();
  expect(await api.call(listEntries)).toEqual([]);
  await expectAccessibleInEveryAppearance(page);
  await part.getByRole('button', { name: 'Import 2 entries' }).click();
  await expect(part.getByText('1 entry imported. 1 entry couldn’t be imported.')).toBeVisible();
  await part.getByText('What couldn’t be imported').click();
  await expect(part.getByText('This video is damaged in the archive.')).toBeVisible();
  await expect(part.getByText('1 didn’t fit in your plan.')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  const [imported, ...others] = await api.call(listEntries);
  expect(others).toEqual([]);
  expect(await api.call(getEntry, { params: { id: imported?.id ?? '' } })).toMatchObject({
    title: entry.title,
    date: { day: 1, month: 5, year: 2024 },
    createdAt: entry.createdAt,
    tags: [{ name: 'Trip', color: '#336699' }],
    notes: [{ text: 'Call again', moment: 1.5 }],
    transcription: {
      status: 'completed',
      language: archivedTranscript.language,
      revision: 1,
      words: [{ word: 'Called', confidence: 0.97 }, { word: 'Dad.' }],
    },
  });
  await part.getByRole('button', { name: 'Import more' }).click();
  await chooseFiles(page, archive);
  await expect(part.getByText('1 is already in your journal.')).toBeVisible();
});

test('an import that a reload interrupts goes on with the same file', async ({ app, page, account, sql }) => {
  const video = await largeVideo(60 * MEGABYTE);
  const files = new Map<string, Buffer>();
  const entry = archivedEntry(files, await readFile(video.path));
  const path = join(clipFolder(), 'interrupted.zip');
  await writeFile(path, archiveOf(archivedJournal([entry]), files));
  // A picker can't be operated here. The browser keeps this file's handle as it would any other's.
  await page.addInitScript(() => {
    window.showOpenFilePicker = async () => [
      await (await navigator.storage.getDirectory()).getFileHandle('journal.zip', { create: true }),
    ];
  });
  const part = page.getByRole('main');
  await page.goto('/upload/import');
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'copy' })),
  );
  await page.locator('#copy').setInputFiles(path);
  await page.evaluate(async () => {
    const [file] = document.querySelector<HTMLInputElement>('#copy')?.files ?? [];
    const [handle] = (await window.showOpenFilePicker?.({})) ?? [];
    if (file && handle) await file.stream().pipeTo(await handle.createWritable());
  });
  const parts = countParts(page);
  await part.getByRole('button', { name: 'Choose files' }).click();
  await throttleNetwork(page, 8 * MEGABYTE);
  await part.getByRole('button', { name: 'Import 1 entry' }).click();
  await waitForProgress(page, 0.3);
  await page.getByRole('link', { name: 'Journal', exact: true }).first().click();
  const corner = page.getByRole('complementary', { name: 'Import' });
  await expect(corner.getByRole('link', { name: 'Importing 1 of 1' })).toBeVisible();
  await confirmReload(page);
  await corner.getByRole('link', { name: 'Import interrupted' }).click();
  await part.getByRole('button', { name: 'Continue' }).click();
  await waitForProgress(page, 0.6);
  await part.getByRole('button', { name: 'Pause' }).click();
  await expect(part.getByText('Paused. Nothing is lost.')).toBeVisible();
  await part.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Journal', exact: true }).first().click();
  await expect(page.getByText('1 entry imported.')).toBeVisible();
  await expect(page.getByRole('link', { name: entry.title })).toBeVisible();
  expect(parts()).toBeLessThanOrEqual(video.parts + 2);
  const id = await expectSingleEntry(account.api, entry.title);
  await expectStored(app, await userIdOf(sql, account.email), id, video.path);
});

test('logging out asks before it stops an import, and then forgets it', async ({ page }) => {
  const video = await largeVideo(30 * MEGABYTE);
  const files = new Map<string, Buffer>();
  const entry = archivedEntry(files, await readFile(video.path));
  const path = join(clipFolder(), 'unfinished.zip');
  await writeFile(path, archiveOf(archivedJournal([entry]), files));
  const part = page.getByRole('main');
  await page.goto('/upload/import');
  await expect(part.getByRole('button', { name: 'Choose files' })).toBeVisible();
  await chooseFiles(page, path);
  await throttleNetwork(page, MEGABYTE);
  await part.getByRole('button', { name: 'Import 1 entry' }).click();
  await waitForProgress(page, 0.05);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page.getByText('An import isn’t finished')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('link', { name: 'Keep importing' }).click();
  await expect(part.getByText('Importing 1 of 1 entry')).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Stop importing and log out' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, ['unfinished.zip'])).toEqual([]);
});
