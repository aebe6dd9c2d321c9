import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, copyFile, mkdtemp, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, type Page, type Route } from '@playwright/test';
import { planDetails } from '@/lib/billing/plans/contract';
import { listEntries } from '@/lib/journal/entries/contract';
import { entryKey } from '@/lib/journal/entries/keys';
import { PART_BYTES } from '@/lib/video/uploads/contract';
import { h264Mp4 } from '@/test/media/clips';
import { clipFolder } from '@/test/media/encode';
import type { Client } from '../client';
import type { App } from '../running-app';
import { storageClient } from '../storage';

export const MEGABYTE = 1_000_000;
export const OFFLINE_MESSAGE = 'No connection. Reconnecting… Nothing is lost.';

/** A video that plays, as large as wanted: behind it comes a `free` box of noise, which players pass over. */
export async function largeVideo(bytes: number): Promise<{ path: string; size: number; parts: number }> {
  const path = join(await mkdtemp(join(clipFolder(), 'large-')), 'holiday.mp4');
  await copyFile(await h264Mp4(), path);
  const { size } = await stat(path);
  const box = Buffer.alloc(8);
  box.writeUInt32BE(bytes - size);
  box.write('free', 4);
  await appendFile(path, box);
  const noise = randomBytes(MEGABYTE);
  for (let at = size + 8, n = 0; at < bytes; at += noise.length, n += 1) {
    // No two pieces are alike, so that parts in the wrong order would show.
    noise.writeUInt32BE(n);
    await appendFile(path, noise);
  }
  await truncate(path, bytes);
  return { path, size: bytes, parts: Math.ceil(bytes / PART_BYTES) };
}

async function sha256(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}

/** Expects that storage has an entry's file byte for byte. */
export async function expectStored(app: App, userId: string, entryId: string, path: string): Promise<void> {
  const Key = entryKey(userId, entryId, 'source');
  const stored = await storageClient(app).send(new GetObjectCommand({ Bucket: app.storage.bucket, Key }));
  expect(await sha256(stored.Body as Readable)).toBe(await sha256(createReadStream(path)));
}

/** Expects one entry that takes one slot, and gives its id. */
export async function expectSingleEntry(api: Client, title: string): Promise<string> {
  const entries = await api.call(listEntries);
  expect(entries.map((entry) => entry.title)).toEqual([title]);
  expect((await api.call(planDetails)).videoCount).toBe(1);
  return entries[0]?.id ?? '';
}

/** The address at which uploads are opened. */
export const PRESIGNED_URL = /\/api\/v1\/presigned_url\?/;

/** Records the calls of uploads that a page makes, in order: to the API without its ids, and to storage. */
export function recordUploadCalls(page: Page, app: App): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const method = request.method();
    const inApi = /^\/api\/v1\/(presigned_url|uploads|entry\/[^/]+\/(upload.*))$/.exec(pathname);
    if (inApi) calls.push(`${method} ${inApi[2] ?? inApi[1]}`);
    const isUpload = method === 'PUT' || method === 'POST';
    if (!request.url().startsWith(app.addresses.storage) || !isUpload) return;
    const number = searchParams.get('partNumber');
    calls.push(number ? `${method} part ${number}` : `${method} file`);
  });
  return calls;
}

/** Counts the parts that a page sends, whole or not. */
export function countParts(page: Page): () => number {
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('partNumber=')) sent += 1;
  });
  return () => sent;
}

/** Refuses a part as storage does. */
export const refusePart = (route: Route, status: number, code: string): Promise<void> =>
  route.fulfill({
    status,
    contentType: 'application/xml',
    headers: { 'access-control-allow-origin': '*' },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
  });

/** Slows the page's network down to so many bytes a second. */
export async function throttleNetwork(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

/** Fills the studio in, chooses a file and begins to upload it. */
export async function startUpload(page: Page, path: string, title: string, site = ''): Promise<void> {
  await page.goto(`${site}/upload`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Date').fill('01/31/2026');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('button', { name: 'Upload Video' }).click();
  // A small file may have arrived before anyone could look.
  const journal = page.getByRole('heading', { name: 'My Journal Entries' });
  await expect(page.getByText('Uploading...').or(journal).first()).toBeVisible();
}

/** Waits until so much of an upload, from 0 to 1, is sent. */
export const waitForProgress = (page: Page, share: number) =>
  page.waitForFunction(
    (wanted) => {
      const bar = document.querySelector('progress');
      return bar !== null && bar.value >= bar.max * wanted;
    },
    share,
    { timeout: 60_000 },
  );

/** Cuts the network and gives it back. */
export async function dropConnection(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.getByText(OFFLINE_MESSAGE)).toBeVisible();
  await page.context().setOffline(false);
}

/** Waits until the browser has a copy of the file, to go on with after a reload. */
export const waitForStoredFile = (page: Page) =>
  page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('daylight-uploads');
        opening.onsuccess = () => {
          const count = opening.result.transaction('files').objectStore('files').count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result > 0);
          };
        };
      }),
    undefined,
    { polling: 200 },
  );
