import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { getEntry, listEntries, listTrash } from '@/lib/journal/entries/contract';
import { createTag, listTags } from '@/lib/journal/tags/contract';
import { findVideos } from '@/lib/portability/imports/clips/contract';
import { vp8Webm } from '@/test/media/clips';
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

const cards = (page: Page) => page.getByRole('list', { name: 'Clips', exact: true }).getByRole('listitem');

/** What each clip's card says: title, date and source, and tags or status. */
const textsOf = (page: Page) =>
  cards(page).evaluateAll((all) =>
    all.map((card) =>
      [...card.querySelectorAll('button > span:first-child > span')].map((line) =>
        (line as HTMLElement).innerText.split('\n').filter(Boolean).join('; '),
      ),
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
  await expect(cards(page)).toHaveCount(7);
  expect(await textsOf(page)).toEqual([
    ['Boat on the lake', '08/20/2016; From the export', ''],
    ['Harbor', '03/10/2018; From the video', ''],
    ['Fireworks', '07/04/2019; From the file name', ''],
    ['Video from May 6, 2020', '05/06/2020; From the folder', ''],
    [
      'Fireworks again',
      expect.any(String),
      expect.stringContaining('Left out. The same video as “Fireworks”'),
    ],
    ['Known', expect.any(String), expect.stringContaining('Left out. Already in your journal: “Known”')],
    ['Mystery', 'No date; Check this date.', 'No date found. Enter one.'],
  ]);
  await expectAccessibleInEveryAppearance(page);

  // By keyboard: to the clip without a date, and a date for it.
  await page.getByRole('button', { name: 'Check the date 1' }).click();
  await page.getByRole('button', { name: /^Mystery/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Date/ }).fill('02/03/2017');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^All/ }).click();
  // A range, from one card to another, and then all of them.
  await page.getByRole('checkbox', { name: 'Select Boat on the lake' }).press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('checkbox', { name: 'Select Fireworks', exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('checkbox', { name: 'Select Mystery' })).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
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

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('clips have pictures, and a long press selects a range, whose dates move', async ({ page }, info) => {
    const folder = info.outputPath('Camera');
    const video = await readFile(await vp8Webm());
    const names = ['2019-07-04 Lake.webm', '2019-07-05 Pier.webm', '2019-07-06 Home.webm'];
    await writeFolder(folder, Object.fromEntries(names.map((name) => [name, video])));
    await page.goto('/upload/import');
    await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
    await chooseFolder(page, folder);
    const pictures = cards(page).locator('canvas').filter({ visible: true });
    await expect(pictures).toHaveCount(3);
    const isDrawn = (all: (HTMLElement | SVGElement)[]) =>
      all.map((one) => (one as HTMLCanvasElement).getContext('2d')?.getImageData(240, 135, 1, 1).data[3]);
    expect(await pictures.evaluateAll(isDrawn)).toEqual([255, 255, 255]);
    await page.getByRole('checkbox', { name: 'Select Lake' }).tap();
    const session = await page.context().newCDPSession(page);
    const home = page.getByRole('button', { name: /^Home/ });
    // Not behind the bar for the selection.
    await home.evaluate((card) => card.scrollIntoView({ block: 'center' }));
    const box = await home.boundingBox();
    const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 40 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await expect(page.getByText('3 selected', { exact: true })).toBeVisible();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.getByRole('button', { name: 'Change date' }).tap();
    await page.getByRole('radio', { name: 'Move every date' }).check();
    await page.getByRole('textbox', { name: 'Days' }).fill('10');
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('Earlier');
    await page.getByRole('dialog').getByRole('button', { name: 'Change date' }).tap();
    await expect(page.getByRole('button', { name: /^Lake/ })).toContainText('06/24/2019');
    await expect(home).toContainText('06/26/2019');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(home).toContainText('07/06/2019');
  });
});

test('logging out forgets what was changed in a list that wasn’t imported', async ({ page }, info) => {
  const folder = info.outputPath('Camera');
  await writeFolder(folder, { '2019-07-04 Lake.mp4': await undatedClip(8) });
  await page.goto('/upload/import');
  await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible();
  await chooseFolder(page, folder);
  await page.getByRole('button', { name: /^Lake/ }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('A secret lake');
  await page.keyboard.press('Enter');
  await waitForStoredEdits(page);
  expect(await findInBrowserStorage(page, ['A secret lake'])).toEqual(['A secret lake']);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await findInBrowserStorage(page, ['A secret lake'])).toEqual([]);
});
