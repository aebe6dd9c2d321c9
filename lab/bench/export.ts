import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Reader, ZipReader } from '@zip.js/zip.js';
import pLimit from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { beginMultipart, completeMultipart, putPart } from '@/lib/clients/multipart';
import { deletePrefix, uploadObject } from '@/lib/clients/storage-objects';
import { readRange } from '@/lib/clients/storage-ranges';
import { checksumFile, saveChecksum } from '@/lib/journal/entries/checksums';
import { entryKey } from '@/lib/journal/entries/keys';
import { announce } from '@/lib/portability/exports/assemble';
import { layOut } from '@/lib/portability/exports/prepare';
import { createExport, exportAddress, getExport } from '@/lib/portability/exports/service';
import { makeEntry } from '@/test/factories';
import type { Benchmark } from './bench';
import { type Measurement, measurement } from './measurements';
import { peakMemory } from './processes';

const GIGABYTES = Number(process.env.EXPORT_GIGABYTES ?? 6);
const VIDEO_BYTES = 60_000_000;
const KILLS = 20;
const ALLOWED_MEMORY = 150_000_000;

/** Fills an account with videos as they are after processing. @returns their keys */
async function fill(userId: string, file: string): Promise<string[]> {
  const keys: string[] = [];
  for (let count = 0; count * VIDEO_BYTES < GIGABYTES * 1e9; count += 1) {
    await writeFile(file, randomBytes(VIDEO_BYTES));
    const { id } = await makeEntry(userId, { bytes: VIDEO_BYTES, videoStatus: 'failed', videoKey: null });
    const key = entryKey(userId, id, 'source');
    await uploadObject(file, key, 'video/mp4');
    await saveChecksum(db(), id, 'source', { ...(await checksumFile(file)), playable: true });
    keys.push(key);
  }
  return keys;
}

/** Copies objects through this process, as many at once as an archive reads. @returns how many seconds it took */
async function copyPlainly(keys: readonly string[]): Promise<number> {
  const began = performance.now();
  const part = 8 * 1024 * 1024;
  await pLimit(3).map(keys, async (key) => {
    const target = `bench/${key}`;
    const upload = { key: target, multipartId: await beginMultipart(target, 'video/mp4') };
    const sent = [];
    for (let start = 0; start < VIDEO_BYTES; start += part) {
      const length = Math.min(part, VIDEO_BYTES - start);
      const body = Buffer.allocUnsafeSlow(length);
      let at = 0;
      for await (const chunk of readRange({ key, etag: null }, { start, length })) at += chunk.copy(body, at);
      sent.push(await putPart(upload, sent.length + 1, body));
    }
    await completeMultipart(target, upload.multipartId, sent);
  });
  const seconds = (performance.now() - began) / 1000;
  await deletePrefix('bench/');
  return seconds;
}

/** Waits until an archive is ready. @returns how many seconds that took */
async function waitUntilReady(userId: string, exportId: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { status } = await getExport(userId, exportId);
    if (status === 'ready') return (performance.now() - began) / 1000;
    if (status === 'failed') throw new Error('the archive failed');
    await delay(100);
  }
}

/** Assembles an archive by processes that are killed at random. @returns how often one was */
async function assembleWithKills(userId: string, exportId: string): Promise<number> {
  for (let kills = 0; ; ) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'lab/bench/export-process.ts', exportId, userId],
      {
        stdio: 'inherit',
      },
    );
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    const kill = async () => {
      await delay(1500 + Math.random() * 1500);
      if (child.kill('SIGKILL')) kills += 1;
    };
    const killing = kills < KILLS ? kill() : undefined;
    const code = await ended;
    await killing;
    if (code === 0) return kills;
  }
}

/** Reads a file of any size. Node's own blobs can't be sliced beyond 4 GiB. */
class HandleReader extends Reader<FileHandle> {
  constructor(
    private readonly handle: FileHandle,
    public override size: number,
  ) {
    super(handle);
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    const { buffer, bytesRead } = await this.handle.read({
      buffer: Buffer.allocUnsafe(length),
      position: index,
    });
    return buffer.subarray(0, bytesRead);
  }
}

/** Downloads an archive in two requests, and checks every file in it. @returns how many videos are intact */
async function countIntactVideos(userId: string, exportId: string, file: string): Promise<number> {
  const url = await exportAddress(userId, exportId);
  const { bytes } = await getExport(userId, exportId);
  const half = Math.floor((bytes ?? 0) / 2);
  await rm(file, { force: true });
  for (const range of [`bytes=0-${half - 1}`, `bytes=${half}-`]) {
    const { body } = await fetch(url, { headers: { range } });
    const handle = await open(file, 'a');
    if (body) await pipeline(Readable.fromWeb(body as never), handle.createWriteStream());
  }
  await using handle = await open(file);
  const zip = new ZipReader(new HandleReader(handle, bytes ?? 0), { checkSignature: true });
  let intact = 0;
  for (const entry of await zip.getEntries()) {
    if (entry.directory) continue;
    await entry.getData(new WritableStream());
    if (entry.filename.endsWith('.mp4')) intact += 1;
  }
  return intact;
}

/** An archive of a large journal: time against a plain copy, memory, and kills. */
export const exportBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    const app = await bench.app();
    const { userId } = await bench.uploader();
    const file = join(bench.folder, 'file');
    const keys = await fill(userId, file);
    const results: Measurement[] = [];

    const plain = await copyPlainly(keys);
    let seconds = 0;
    let first = '';
    const work = async () => {
      first = (await createExport(userId, { notify: false })).id;
      seconds = await waitUntilReady(userId, first);
    };
    const idle = await peakMemory([app.pid], () => delay(200));
    const [peak = 0] = await peakMemory([app.pid], work);
    results.push(
      measurement(`export: ${GIGABYTES} GB, from the request until it can be downloaded`, {
        unit: 's',
        ours: seconds,
        limit: plain,
        bar: 1 / 0.7,
      }),
      measurement('export: memory above idle', {
        unit: 'MB',
        ours: (peak - (idle[0] ?? 0)) / 1e6,
        limit: ALLOWED_MEMORY / 1e6,
        bar: 1,
      }),
    );

    // Not through the outbox, so that nothing else assembles it.
    const exportId = uuidv7();
    await db().insert(exports).values({ id: exportId, userId, fileName: 'killed.zip', notify: false });
    const run = { exportId, userId, generation: 1 };
    await layOut(run, { deadline: Number.POSITIVE_INFINITY, signal: new AbortController().signal });
    const kills = await assembleWithKills(userId, exportId);
    await announce(run);
    results.push(
      measurement(`export: files that aren’t intact after ${kills} kills`, {
        unit: 'files',
        ours: keys.length - (await countIntactVideos(userId, exportId, file)),
        limit: 1,
        bar: 0,
      }),
    );
    return results;
  },
};
