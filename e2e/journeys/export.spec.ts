import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Download } from '@playwright/test';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { h264Mp4 } from '@/test/media/clips';
import { expect, test } from '../fixtures';
import { expectAccessible } from './axe';
import { insertTranscript } from './entry-steps';

/** Returns the files in a downloaded ZIP file, by path. */
async function unzip(download: Download) {
  const zip = new ZipReader(new Uint8ArrayReader(await readFile(await download.path())), {
    checkSignature: true,
  });
  const files = new Map<string, Buffer>();
  for (const entry of await zip.getEntries()) {
    if (!entry.directory) files.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  return files;
}

test('a journal is prepared, announced by email, and downloaded', async ({
  page,
  account,
  mailbox,
  upload,
  sql,
}, info) => {
  const clip = await h264Mp4();
  const { id } = await upload(clip, { title: 'A day', date: '2026-03-01', wait: 'transcript' });
  await insertTranscript(sql, id);
  await page.goto('/settings/data');
  await expect(page.getByText(/^1 entry, about .* kB$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Prepare download' }).click();
  await expect(page.getByText(/Available until/)).toBeVisible({ timeout: 30_000 });
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download Daylight/ }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^Daylight \d{4}-\d\d-\d\d\.zip$/);
  const files = await unzip(download);
  expect(files.get('2026/2026-03-01 A day.mp4')).toEqual(await readFile(clip));
  expect(files.get('2026/2026-03-01 A day.txt')?.toString()).toContain('I');
  const mail = await mailbox.wait(account.email, /^Your journal is ready to download$/);
  expect(mail.html).toContain('/settings/data');

  await page.getByRole('button', { name: /^Delete Daylight/ }).click();
  await expect(page.getByText(/Available until/)).toHaveCount(0);

  const folder = info.outputPath('archive');
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  await page.getByRole('link', { name: 'A day' }).click();
  await expect(page.getByRole('heading', { name: 'A day' })).toBeVisible();
  await page.getByText('I', { exact: true }).first().click();
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0.1);
});

test('an entry is downloaded as one ZIP', async ({ page, upload }) => {
  const { id } = await upload(await h264Mp4(), { title: 'A day', date: '2026-03-01', wait: 'transcript' });
  await page.goto(`/entry/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  const coming = page.waitForEvent('download', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Everything (ZIP)' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('2026-03-01 A day.zip');
  expect([...(await unzip(download)).keys()]).toContain('2026/2026-03-01 A day.mp4');
});
