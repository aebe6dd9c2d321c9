import { mkdtempSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { bareProbe, bareRendition, bareThumbnail } from './bare-media';
import type { BenchContext, Benchmark } from './bench';
import { h264Short } from './clips';
import { interleave, measurement } from './measurements';
import { fetchText } from './requests';
import { fileContent, reserve, sendForm, type UploadContent } from './s3-upload';

const ROUNDS = 5;
/** The steps of process-video until there is something to play: probe, request-transcript, thumbnail, video. */
const STEPS = 4;
const TIMEOUT_MS = 60_000;

type Row = typeof entries.$inferSelect;

/** Looks at the entry's row until it is as wanted, without asking the app anything. @throws Error after a minute */
async function waitForEntry(entryId: string, isAsWanted: (row: Row) => boolean): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(10)) {
    const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
    if (row?.videoStatus === 'failed') throw new Error(`The video failed: ${row.videoError}`);
    if (row && isAsWanted(row)) return;
  }
  throw new Error('The video was not processed within a minute.');
}

async function secondsToCompleted(
  bench: BenchContext,
  cookie: string,
  video: UploadContent,
): Promise<number> {
  const app = await bench.app();
  const { entryId, form } = await reserve(app, cookie, video.size);
  await sendForm(form, video);
  const began = performance.now();
  await fetchText({ url: `${app.url}/api/v1/entry/${entryId}/upload/complete`, cookie });
  await waitForEntry(entryId, (row) => row.videoKey !== null);
  const seconds = (performance.now() - began) / 1000;
  // What is still under way must not burden the next measurement.
  await waitForEntry(entryId, (row) => row.videoStatus === 'ready' && row.transcriptStatus !== 'processing');
  return seconds;
}

async function secondsForBareSteps(bench: BenchContext, file: string): Promise<number> {
  const { url } = await bench.bareApp();
  const folder = mkdtempSync(`${file}-`);
  const began = performance.now();
  await bareProbe(file);
  await bareThumbnail(file, folder);
  await bareRendition(file, folder, 'copy');
  for (let step = 0; step < STEPS; step += 1) await fetchText({ url: `${url}/api` });
  return (performance.now() - began) / 1000;
}

/** From "the upload is complete" to something to play, beside the commands themselves and a request for each step. */
export const processingBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const file = await h264Short(bench.folder);
    const video = await fileContent(file);
    await bench.app();
    const session = await (await bench.uploader()).cookie();
    const measurements = {
      ours: () => secondsToCompleted(bench, session, video),
      limit: () => secondsForBareSteps(bench, file),
    };
    await interleave(1, measurements);
    const { ours, limit } = await interleave(ROUNDS, measurements);
    return [measurement('upload complete to completed, 10 s H.264', { unit: 's', ours, limit, bar: 2.5 })];
  },
};
