import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { centralHeader, endOfCentralDirectory, localHeader } from '@/lib/portability/exports/zip';
import { archivedEntry, archivedJournal } from '@/test/archive-writer';
import { findChromium } from '@/test/chromium';
import type { Benchmark } from './bench';
import { measurement } from './measurements';
import { peakMemory } from './processes';

const VIDEOS = 4;
const MEGABYTES_EACH = 500;
/** In bytes: a part that's read, its checksums, and what the engine collects late. */
const ALLOWED_MEMORY = 150e6;

/** Returns a video's pieces, of 1 MB each. No two videos are alike. */
const piecesOf = (noise: Buffer, video: number) =>
  Array.from({ length: MEGABYTES_EACH }, (_, index) => {
    const piece = Buffer.from(noise);
    piece.writeUInt32BE(video * MEGABYTES_EACH + index);
    return piece;
  });

/** Writes an archive of large videos, a piece at a time. CRCs are left out, since no part of the import reads them. */
async function writeArchive(path: string): Promise<void> {
  const noise = randomBytes(1_000_000);
  const bytes = MEGABYTES_EACH * noise.length;
  const files = new Map<string, Buffer>();
  const entries = Array.from({ length: VIDEOS }, (_, video) => {
    const hash = createHash('sha256');
    for (const piece of piecesOf(noise, video)) hash.update(piece);
    const original = { path: `2026/${video}.mp4`, bytes, sha256: hash.digest('hex') };
    return archivedEntry(files, Buffer.alloc(0), { title: `Video ${video}`, transcript: null, original });
  });
  const json = Buffer.from(JSON.stringify(archivedJournal(entries)));
  const memberOf = (name: string, size: number) => ({
    path: name,
    bytes: size,
    crc32: 0,
    modifiedAt: new Date(),
  });
  function* content() {
    const directory: Buffer[] = [];
    let offset = 0;
    for (const [video, { original }] of entries.entries()) {
      const member = memberOf(original?.path ?? '', bytes);
      directory.push(centralHeader(member, offset));
      const header = localHeader(member);
      offset += header.length + bytes;
      yield header;
      yield* piecesOf(noise, video);
    }
    const member = memberOf('daylight.json', json.length);
    directory.push(centralHeader(member, offset));
    const header = localHeader(member);
    offset += header.length + json.length;
    yield* [header, json, ...directory];
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    yield endOfCentralDirectory({ members: directory.length, bytes: size, offset });
  }
  await pipeline(Readable.from(content()), createWriteStream(path));
}

/** Returns the processes of the browser itself and of its pages. */
async function processesOf(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'browser' || type === 'renderer').map(({ id }) => id);
}

async function importAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Import ${VIDEOS} entries` }).click();
  await page.getByText(`${VIDEOS} entries imported.`).waitFor({ timeout: 600_000 });
}

/** A large archive through the browser, which may hold none of it in memory. */
export const importBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    const app = await bench.app();
    const { cookie } = await bench.uploader();
    const [name = '', value = ''] = (await cookie()).split('=');
    const archive = join(bench.folder, 'journal.zip');
    await writeArchive(archive);
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext();
      await context.addCookies([{ name, value, url: app.url }]);
      const page = await context.newPage();
      await page.goto(`${app.url}/upload/import`);
      await page.locator('input[aria-label="Files to import"]').setInputFiles(archive);
      await page.getByRole('button', { name: `Import ${VIDEOS} entries` }).waitFor();
      const processes = await processesOf(browser);
      const before = await peakMemory(processes, async () => {});
      const peaks = await peakMemory(processes, () => importAll(page));
      const growth = Math.max(...peaks.map((peak, index) => peak - (before[index] ?? 0)));
      const size = (VIDEOS * MEGABYTES_EACH) / 1000;
      const memory = { unit: 'MB', ours: growth / 1e6, limit: ALLOWED_MEMORY / 1e6, bar: 1 };
      return [measurement(`import of ${size} GB, memory of the tab`, memory)];
    } finally {
      await browser.close();
    }
  },
};
