import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { getTranscriptData } from '@/lib/video/downloads/contract';
import { h264Mp4, indexLastMp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { insertTranscript } from './entry-steps';

const TITLE = 'Dad’s “50th” 🎂 / יום הולדת';

async function openDownloads(page: Page, menu = 'More actions') {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  return page.getByRole('dialog', { name: 'Download' });
}

test('an entry’s files are saved under its date and title, as they are', async ({
  page,
  api,
  upload,
  sql,
  watch,
}) => {
  // The session is renewed once on the way.
  watch.allowConsole(/status of 401/);
  // Cameras write the index last, which takes a copy to play well.
  const clip = await indexLastMp4();
  const file = { fileName: 'IMG_0042.MOV', contentType: 'video/quicktime' };
  const { id } = await upload(clip, { ...file, title: TITLE, date: '2026-03-01', wait: 'transcript' });
  await insertTranscript(sql, id);
  await page.goto(`/entry/${id}`);
  const address = page.url();
  const dialog = await openDownloads(page);
  await expect(dialog.getByRole('link')).toHaveText([
    /^Original video \(MOV\)IMG_0042\.MOV · .* kB$/,
    /^Playable video \(MP4\)Plays on any device · .* kB$/,
    'Transcript (TXT)',
    'Captions (VTT)',
    'Captions (SRT)',
    /^Transcript data \(JSON\)/,
  ]);

  const save = async (label: string) => {
    const coming = page.waitForEvent('download');
    await dialog.getByRole('link', { name: label }).click();
    const download = await coming;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  // Links can't renew the session by themselves.
  await page.context().clearCookies({ name: /session-token$/ });
  const original = await save('Original video');
  expect(original.name).toBe('2026-03-01 Dad’s “50th” 🎂 - יום הולדת.mov');
  expect(original.bytes.equals(await readFile(clip))).toBe(true);
  const video = await save('Playable video');
  expect([video.name, video.bytes.subarray(4, 8).toString()]).toEqual([
    '2026-03-01 Dad’s “50th” 🎂 - יום הולדת.mp4',
    'ftyp',
  ]);
  const data = await save('Transcript data');
  expect(data.name).toBe('2026-03-01 Dad’s “50th” 🎂 - יום הולדת.json');
  const answer = await api.sendOperation(getTranscriptData, { params: { id } });
  expect(data.bytes.toString()).toBe(await answer.text());
  expect(JSON.parse(data.bytes.toString()).revisions[0].words[0]).toEqual({
    word: 'I',
    start: 0.2,
    end: 0.4,
  });
  expect(page.url()).toBe(address);

  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await openDownloads(page, 'Transcript actions');
  expect((await save('Captions (SRT)')).bytes.toString()).toMatch(/^1\n00:00:00,200 --> /);
});

test('files are shared from the home screen of an iPhone, which can’t save links', async ({
  page,
  upload,
  sql,
}) => {
  const { id } = await upload(await h264Mp4(), { title: 'A day', date: '2026-03-01', wait: 'transcript' });
  await insertTranscript(sql, id);
  await page.addInitScript(() => {
    const share = async ({ files: [file] = [] }: ShareData) => {
      document.title = `${file?.name}: ${await file?.text()}`;
    };
    Object.assign(navigator, { standalone: true, share });
  });
  await page.goto(`/entry/${id}`);
  const dialog = await openDownloads(page);
  // It's stored once.
  await expect(dialog).not.toContainText('Playable video');
  await expect(dialog).toContainText('Open Daylight in Safari to save it.');
  await expect(dialog.getByRole('link', { name: 'video' })).toHaveCount(0);
  await dialog.getByRole('link', { name: 'Transcript (TXT)' }).click();
  await expect(page).toHaveTitle(/^2026-03-01 A day\.txt: I called Dan today\./);
});
