import type { Page } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { getEntry, listEntries, listTrash } from '@/lib/journal/entries/contract';
import { createTag, listTags } from '@/lib/journal/tags/contract';
import { findVideos } from '@/lib/portability/imports/clips/contract';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { expectAccessibleInEveryAppearance } from './axe';
import { findInBrowserStorage } from './browser-storage';
import { chooseFolder, recordedClip, undatedClip, writeFolder } from './clip-folder';

/** Returns everything that an import changes. */
async function contentOf(api: Client) {
  const entries = await api.call(listEntries);
  return {
    entries: await Promise.all(entries.map(({ id }) => api.call(getEntry, { params: { id } }))),
    tags: (await api.call(listTags)).categories,
    plan: await api.call(planDetails),
  };
}

/** What each clip's row says, by its title: date and source, tags, and status. */
const rowsOf = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('[role=gridcell]')]
          .filter((_, index) => [1, 2, 3, 5].includes(index))
          .map((cell) => (cell as HTMLElement).innerText.split('\n').filter(Boolean).join('; ')),
      ),
    );

/** Waits until the browser has stored what was changed in the list of clips. */
const waitForStoredEdits = (page: Page) =>
  page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('daylight-import');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('reviews').objectStore('reviews').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.some((edits: Map<string, unknown>) => edits.size > 0));
          };
        };
      }),
    undefined,
    { polling: 200 },
  );

/** Writes a folder with clips of every kind, one of which the journal has. @returns its path */
async function writeClips(folder: string, known: Buffer): Promise<string> {
  const sidecar = {
    title: 'VID_1.mp4',
    description: 'Boat on the lake',
    photoTakenTime: { timestamp: String(Date.UTC(2016, 7, 20, 15) / 1000) },
  };
  await writeFolder(folder, {
    'Trip/VID_1.mp4': await undatedClip(1),
    'Trip/VID_1.mp4.supplemental-metadata.json': JSON.stringify(sidecar),
    'Trip/photo.jpg': 'not a video',
    'harbor.mp4': await recordedClip('2018-03-10T12:00:00Z'),
    '2019-07-04 Fireworks.mp4': await undatedClip(2),
    'Backup/Fireworks again.mp4': await undatedClip(2),
    '2020/05/06.mp4': await undatedClip(3),
    'mystery.mp4': await undatedClip(4),
    'known.mp4': known,
  });
  return folder;
}

test('a folder arrives with its dates, titles and tags, and one press undoes it', async ({
  page,
  api,
  upload,
}, info) => {
  test.slow();
  const known = await undatedClip(5);
  const folder = await writeClips(info.outputPath('Memories'), known);
  await api.call(createTag, { body: { category_name: 'Family' } });
  await upload(`${folder}/known.mp4`, { title: 'Known', wait: 'transcript' });
  const sizes = { videos: [{ size: known.length }] };
  await expect
    .poll(async () => (await api.call(findVideos, { body: sizes })).videos[0]?.sha256)
    .toEqual(expect.any(String));
  const before = await contentOf(api);

  await page.goto('/upload');
  await page.getByRole('link', { name: 'Import folders, Google Photos, or Day One' }).click();
  await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await chooseFolder(page, folder);
  const grid = page.getByRole('grid');
  await expect(grid).toBeVisible();
  expect(await rowsOf(page)).toEqual([
    ['Boat on the lake; Memories/Trip/VID_1.mp4', '08/20/2016; From the export', 'No tags', ''],
    ['Harbor; Memories/harbor.mp4', '03/10/2018; From the video', 'No tags', ''],
    ['Fireworks; Memories/2019-07-04 Fireworks.mp4', '07/04/2019; From the file name', 'No tags', ''],
    ['Video from May 6, 2020; Memories/2020/05/06.mp4', '05/06/2020; From the folder', 'No tags', ''],
    [
      'Fireworks again; Memories/Backup/Fireworks again.mp4',
      expect.any(String),
      'No tags',
      expect.stringContaining('Left out. The same video as “Fireworks”'),
    ],
    [
      'Known; Memories/known.mp4',
      expect.any(String),
      'No tags',
      expect.stringContaining('Left out. Already in your journal: “Known”'),
    ],
    ['Mystery; Memories/mystery.mp4', 'No date; Check this date.', 'No tags', 'No date found. Enter one.'],
  ]);
  await expectAccessibleInEveryAppearance(page);

  // By keyboard: to the clip without a date, and a date for it.
  await page.getByRole('button', { name: 'Check the date 1' }).click();
  await grid.getByRole('gridcell', { name: 'No date Check this date.' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('02/03/2017');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^All/ }).click();
  await grid.getByRole('gridcell', { name: /^Boat on the lake/ }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Find or create a tag').fill('Old videos');
  await dialog.getByRole('button', { name: 'Create “Old videos”' }).click();
  await dialog.getByRole('checkbox', { name: 'Family' }).check();
  await expectAccessibleInEveryAppearance(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Import 5 clips' }).click();
  await expect(page.getByText('5 entries imported.')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);

  const { entries } = await contentOf(api);
  const imported = entries.filter(({ title }) => title !== 'Known');
  expect(
    imported.map(({ title, date: { year, month, day }, tags }) => [
      title,
      `${year}-${month}-${day}`,
      tags.map(({ name }) => name).toSorted(),
    ]),
  ).toEqual([
    ['Video from May 6, 2020', '2020-5-6', ['Family', 'Old videos']],
    ['Fireworks', '2019-7-4', ['Family', 'Old videos']],
    ['Harbor', '2018-3-10', ['Family', 'Old videos']],
    ['Mystery', '2017-2-3', ['Family', 'Old videos']],
    ['Boat on the lake', '2016-8-20', ['Family', 'Old videos']],
  ]);

  await page.reload();
  await expect(page.getByText('5 entries from 2016 to 2020')).toBeVisible();
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await expect(page.getByText('Import undone. 5 entries moved to Trash.')).toBeVisible();
  expect(await contentOf(api)).toEqual(before);
  expect(await api.call(listTrash)).toHaveLength(5);
});

test('on a phone, clips are checked one by one, and edits outlive a reload', async ({ page, api }, info) => {
  const folder = info.outputPath('Camera');
  await writeFolder(folder, {
    'mystery.mp4': await undatedClip(6),
    '2019-07-04 Lake.mp4': await undatedClip(7),
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/upload/import');
  await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
  await chooseFolder(page, folder);
  await expect(page.getByText('1 clip needs a date or a title first.')).toBeVisible();
  await expectAccessibleInEveryAppearance(page);
  await page.getByRole('button', { name: /Mystery/ }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: /^Date/ }).fill('02/03/2017');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Set by you')).toBeVisible();
  await waitForStoredEdits(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
  await chooseFolder(page, folder);
  await expect(page.getByText('Set by you')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 clips' }).click();
  await expect(page.getByText('2 entries imported.')).toBeVisible();
  const entries = await api.call(listEntries);
  expect(entries.map(({ title, date: { year } }) => `${title} ${year}`)).toEqual([
    'Lake 2019',
    'Mystery 2017',
  ]);
});

test('logging out forgets what was changed in a list that wasn’t imported', async ({ page }, info) => {
  const folder = info.outputPath('Camera');
  await writeFolder(folder, { '2019-07-04 Lake.mp4': await undatedClip(8) });
  await page.goto('/upload/import');
  await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
  await chooseFolder(page, folder);
  await page.getByRole('gridcell', { name: /^Lake/ }).dblclick();
  await page.keyboard.type('A secret lake');
  await page.keyboard.press('Enter');
  await waitForStoredEdits(page);
  expect(await findInBrowserStorage(page, ['A secret lake'])).toEqual(['A secret lake']);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, ['A secret lake'])).toEqual([]);
});
