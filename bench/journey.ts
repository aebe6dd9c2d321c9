import { mkdtempSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { bareProbe, bareRendition, bareThumbnail } from './bare-media';
import type { Bench, Part } from './bench';
import { h264Short } from './clips';
import { figure, inTurn } from './figures';
import { ask } from './requests';
import { type Content, fileContent, reserve, sendForm } from './sending';

const ROUNDS = 5;
/** The steps of process-video until there is something to play: probe, want-transcript, thumbnail, video. */
const STEPS = 4;
const PATIENCE_MS = 60_000;

type Row = typeof entries.$inferSelect;

/** Looks at the entry's row until it is as wanted, without asking the app anything. @throws Error after a minute */
async function untilEntry(entryId: string, isAsWanted: (row: Row) => boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(10)) {
    const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
    if (row?.videoStatus === 'failed') throw new Error(`The video failed: ${row.videoError}`);
    if (row && isAsWanted(row)) return;
  }
  throw new Error('The video was not processed within a minute.');
}

async function secondsToCompleted(bench: Bench, cookie: string, video: Content): Promise<number> {
  const app = await bench.app();
  const { entryId, form } = await reserve(app, cookie, video.size);
  await sendForm(form, video);
  const began = performance.now();
  await ask({ url: `${app.url}/api/v1/entry/${entryId}/upload/complete`, cookie });
  await untilEntry(entryId, (row) => row.videoKey !== null);
  const seconds = (performance.now() - began) / 1000;
  // What is still under way must not burden the next measurement.
  await untilEntry(entryId, (row) => row.videoStatus === 'ready' && row.transcriptStatus !== 'processing');
  return seconds;
}

async function secondsOfBareSteps(bench: Bench, file: string): Promise<number> {
  const { url } = await bench.bareApp();
  const folder = mkdtempSync(`${file}-`);
  const began = performance.now();
  await bareProbe(file);
  await bareThumbnail(file, folder);
  await bareRendition(file, folder, 'copy');
  for (let step = 0; step < STEPS; step += 1) await ask({ url: `${url}/api` });
  return (performance.now() - began) / 1000;
}

/** From "the upload is complete" to something to play, beside the commands themselves and a request for each step. */
export const journey: Part = {
  linuxOnly: false,
  async measure(bench) {
    const file = await h264Short(bench.folder);
    const video = await fileContent(file);
    await bench.app();
    const session = await (await bench.uploader()).cookie();
    const measurements = {
      ours: () => secondsToCompleted(bench, session, video),
      limit: () => secondsOfBareSteps(bench, file),
    };
    await inTurn(1, measurements);
    const { ours, limit } = await inTurn(ROUNDS, measurements);
    return [figure('upload complete to completed, 10 s H.264', { unit: 's', ours, limit, bar: 2.5 })];
  },
};
