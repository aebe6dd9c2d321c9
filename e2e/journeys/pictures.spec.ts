import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import sample from '@/components/journal/sample/sample.json' with { type: 'json' };
import { ENTRY_PICTURES, EXAMPLE_EXPORT, PREVIEW } from '@/components/landing/pictures';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { createExport, downloadExport, getExport } from '@/lib/portability/exports/contract';
import { projectRoot } from '@/local/up/data-dir';
import type { Client } from '../client';
import { expect, test } from '../fixtures';
import { difference, lookAt, toWebp } from './pictures';

/*
 * The pictures of the home page are taken here, of the running site, and committed: a build needs no browser.
 * `npm run assets -- pictures` takes them again. Every other run takes them too, and fails if what's committed looks different.
 */

const PUBLIC = join(projectRoot, 'public');
const DATE = '2025-11-18';
/** A moment in the middle of a word. */
const SECONDS = 5.3;
const MAX_BYTES = 60_000;
/** How much of a picture may look different. A line of text that moves is more. */
const TOLERANCE = 0.03;

const isUpdate = (info: TestInfo) => ['all', 'changed'].includes(info.config.updateSnapshots);

/** Writes a picture when they're taken anew, and otherwise expects the committed one to look like it. */
async function expectCommitted(page: Page, info: TestInfo, path: string, png: Buffer): Promise<void> {
  const file = join(PUBLIC, path);
  const isWebp = path.endsWith('.webp');
  if (isUpdate(info)) {
    await mkdir(join(PUBLIC, 'pictures'), { recursive: true });
    await writeFile(file, isWebp ? await toWebp(page, png, 0.82) : png);
  }
  const committed = await readFile(file);
  if (isWebp) expect(committed.length, path).toBeLessThanOrEqual(MAX_BYTES);
  const before = await lookAt(page, committed);
  const now = await lookAt(page, png);
  expect([before.width, before.height], path).toEqual([now.width, now.height]);
  const off = difference(before.fields, now.fields);
  expect(off, `${path} doesn’t show the site as it is. Run npm run assets -- pictures.`).toBeLessThan(
    TOLERANCE,
  );
}

/** Makes the sample entry one of an account's, with its tags and the words as they were said. */
async function addSampleEntry(api: Client, id: string): Promise<void> {
  const tags = [];
  for (const [name, color] of [
    ['Evenings', '#AB4931'],
    ['Reading', '#156BA6'],
  ])
    tags.push(await api.call(createTag, { body: { category_name: name, category_color: color } }));
  await api.call(setEntryTags, { params: { id }, body: { categories: tags } });
  await api.call(saveTranscription, { params: { id }, body: { transcription: { words: sample.words } } });
}

/** Runs in the page. Plays a video, so that it has no cover, and stops it. */
async function stopAt(video: HTMLVideoElement, seconds: number): Promise<void> {
  video.muted = true;
  await video.play();
  video.pause();
  const sought = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
  video.currentTime = seconds;
  await sought;
}

test('the pictures of an entry show its page as it is, in both themes and sizes', async ({
  browser,
  baseURL,
  account,
  api,
  signIn,
  upload,
}, info) => {
  test.slow();
  const video = join(PUBLIC, 'sample/entry.mp4');
  const { id } = await upload(video, { title: sample.title, date: DATE, wait: 'transcript' });
  await addSampleEntry(api, id);
  for (const { name, width, height } of Object.values(ENTRY_PICTURES))
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        baseURL,
        colorScheme,
        reducedMotion: 'reduce',
        // With the bars at the top and, on phones, at the bottom, whose middle button is higher.
        viewport: { width, height: height + 64 + 104 },
        deviceScaleFactor: width > 600 ? 1.5 : 2,
        locale: 'en-US',
        timezoneId: 'UTC',
      });
      const page = await context.newPage();
      await signIn(page, account);
      await page.goto(`/entry/${id}`);
      const words = page.getByRole('group', { name: 'Transcript words' });
      await expect(words).toContainText('trenches');
      await page.locator('video').evaluate(stopAt, SECONDS);
      await expect(words.locator('.now')).toHaveCount(1);
      const bar = await page.getByRole('banner').boundingBox();
      const top = (bar?.y ?? 0) + (bar?.height ?? 0);
      await page.evaluate(() => document.fonts.ready);
      const png = await page.screenshot({ clip: { x: 0, y: top, width, height }, animations: 'disabled' });
      await expectCommitted(page, info, `pictures/${name}-${colorScheme}.webp`, png);
      await context.close();
    }

  // Of one entry, so that it has nothing of the account's profile.
  const { id: exportId } = await api.call(createExport, { body: { entries: [id] } });
  await expect
    .poll(async () => (await api.call(getExport, { params: { id: exportId } })).status, { timeout: 60_000 })
    .toBe('ready');
  const link = await api.sendOperation(downloadExport, { params: { id: exportId } });
  const made = await fetch(link.headers.get('location') ?? '');
  const archive = Buffer.from(await made.arrayBuffer());
  const file = join(PUBLIC, EXAMPLE_EXPORT);
  if (isUpdate(info)) await writeFile(file, archive);
  const committed = await readFile(file);
  expect(await pathsIn(committed), 'Run npm run assets -- pictures.').toEqual(await pathsIn(archive));
  expect(committed.includes(account.email)).toBe(false);
});

/** Returns the paths of the files in a ZIP file, without the ids in them. */
async function pathsIn(archive: Buffer): Promise<string[]> {
  const entries = await new ZipReader(new Uint8ArrayReader(archive)).getEntries();
  return entries.map(({ filename }) => filename.replace(/[0-9a-f-]{36}/, 'id'));
}

test('the preview of links shows the home page as it is', async ({ guest }, info) => {
  const { url, width, height } = PREVIEW;
  await guest.setViewportSize({ width, height });
  await guest.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await guest.goto('/');
  await guest.evaluate(() => document.fonts.ready);
  // Only what it's about.
  await guest.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>(
      'header nav, main > div > :not(:first-child), [aria-label="Try it"] > * > :last-child',
    ))
      part.style.display = 'none';
  });
  const png = await guest.screenshot({ animations: 'disabled' });
  await expectCommitted(guest, info, url, png);
});
