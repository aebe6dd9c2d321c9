import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { getEntry, listEntries } from '@/lib/journal/entries/contract';
import { packedZip } from '@/test/packed-zip';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { undatedClip } from './clip-folder';

const DEFLATED = 8;

/** Chooses ZIPs on the import page, as by the picker of a browser without handles. */
async function chooseZips(page: Page, zips: Record<string, Parameters<typeof packedZip>[0]>): Promise<void> {
  await page.goto('/upload/import');
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  await page.locator('input[aria-label="Files to import"]').setInputFiles(
    Object.entries(zips).map(([name, members]) => ({
      name,
      mimeType: 'application/zip',
      buffer: packedZip(members),
    })),
  );
}

/** Imports the only clip in the list. @returns its entry */
async function importOnly(page: Page, api: Client) {
  await page.getByRole('button', { name: 'Import 1 clip', exact: true }).click();
  await expect(page.getByText('1 entry imported.')).toBeVisible();
  const [entry] = await api.call(listEntries);
  return api.call(getEntry, { params: { id: entry?.id ?? '' } });
}

test('the compressed parts of a Google Takeout arrive with the dates in their sidecars', async ({
  page,
  api,
}) => {
  const folder = 'Takeout/Google Photos/Trip';
  const sidecar = {
    title: 'VID_1.mp4',
    description: 'Boat on the lake',
    photoTakenTime: { timestamp: String(Date.UTC(2016, 7, 20, 15) / 1000) },
  };
  await chooseZips(page, {
    'takeout-001.zip': [
      { name: `${folder}/VID_1.mp4`, content: await undatedClip(11), method: DEFLATED, isStreamed: true },
      { name: `${folder}/photo.jpg`, content: Buffer.from('no video'), method: DEFLATED },
    ],
    'takeout-002.zip': [
      {
        name: `${folder}/VID_1.mp4.supplemental-metadata.json`,
        content: Buffer.from(JSON.stringify(sidecar)),
        method: DEFLATED,
      },
    ],
  });
  await expect(page.getByRole('button', { name: /08\/20\/2016 From the export/ })).toBeVisible();
  expect(await importOnly(page, api)).toMatchObject({
    title: 'Boat on the lake',
    date: { year: 2016, month: 8, day: 20 },
  });
});

test('a Day One export arrives with its text and tags, on the day of its own time zone', async ({
  page,
  api,
}) => {
  const video = await undatedClip(12);
  const md5 = createHash('md5').update(video).digest('hex');
  const entry = {
    uuid: 'A1B2',
    creationDate: '2020-02-01T02:30:00Z',
    timeZone: 'America/Los_Angeles',
    text: '# Sunset at the pier\n\nWe stayed until the lights went on.\n\n![](dayone-moment:/video/C3D4)',
    tags: ['Ocean'],
    videos: [{ identifier: 'C3D4', md5, type: 'mp4', orderInEntry: 0 }],
  };
  const journal = { metadata: { version: '1.0' }, entries: [entry, { ...entry, uuid: 'E5F6', videos: [] }] };
  await chooseZips(page, {
    'Export.zip': [
      { name: 'Journal.json', content: Buffer.from(JSON.stringify(journal)), method: DEFLATED },
      { name: `videos/${md5}.mp4`, content: video, method: DEFLATED },
    ],
  });
  await expect(page.getByText('1 entry without a video can’t be imported.')).toBeVisible();
  expect(await importOnly(page, api)).toMatchObject({
    title: 'Sunset at the pier',
    date: { year: 2020, month: 1, day: 31 },
    tags: [{ name: 'Ocean' }],
    notes: [{ text: 'We stayed until the lights went on.' }],
  });
});
