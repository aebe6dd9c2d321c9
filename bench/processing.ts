import { mkdtempSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { bareProbe, bareRendition, bareThumbnail } from './bare-media';
import type { BenchContext, Benchmark } from './bench';
import { h264Minute, h264Short, vp9HalfMinute, vp9TwoHours } from './clips';
import { interleave, type Measurement, measurement, median } from './measurements';
import { fetchText } from './requests';
import { fileContent, reserve, sendForm, type UploadContent } from './s3-upload';
import { seedAccount } from './seed';

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

/** Uploads a video. @returns its entry's id, and when the upload was complete, by `performance.now()` */
async function upload(
  bench: BenchContext,
  cookie: string,
  video: UploadContent,
): Promise<{ entryId: string; began: number }> {
  const app = await bench.app();
  const { entryId, form } = await reserve(app, cookie, video.size);
  await sendForm(form, video);
  const began = performance.now();
  await fetchText({ url: `${app.url}/api/v1/entry/${entryId}/upload/complete`, cookie });
  return { entryId, began };
}

const waitForJobs = (entryId: string) =>
  waitForEntry(entryId, (row) => row.videoStatus === 'ready' && row.transcriptStatus !== 'processing');

/** Uploads a video, and waits until it's ready and transcribed. @returns its entry's id */
export async function uploadAndProcess(
  bench: BenchContext,
  cookie: string,
  video: UploadContent,
): Promise<string> {
  const { entryId } = await upload(bench, cookie, video);
  await waitForJobs(entryId);
  return entryId;
}

async function secondsToCompleted(
  bench: BenchContext,
  cookie: string,
  video: UploadContent,
): Promise<number> {
  const { entryId, began } = await upload(bench, cookie, video);
  await waitForEntry(entryId, (row) => row.videoKey !== null);
  const seconds = (performance.now() - began) / 1000;
  // What is still under way must not burden the next measurement.
  await waitForJobs(entryId);
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

/** An account whose plan has room for hours. */
async function seedStandard(): Promise<string> {
  const { userId, cookie } = await seedAccount();
  await db().update(users).set({ grantedPlan: 'Standard' }).where(eq(users.id, userId));
  return cookie();
}

async function repeat(times: number, measure: () => Promise<number>): Promise<number> {
  const seconds: number[] = [];
  while (seconds.length < times) seconds.push(await measure());
  return median(seconds);
}

/** How long somebody waits for half a minute while somebody else's two hours are being encoded, and what that adds. */
async function besideTwoHours(bench: BenchContext): Promise<Measurement[]> {
  const [short, long] = [await vp9HalfMinute(bench.folder), await vp9TwoHours(bench.folder)];
  const video = await fileContent(short);
  const cookie = await seedStandard();
  const measure = () => secondsToCompleted(bench, cookie, video);
  await measure();
  const alone = await repeat(3, measure);
  const { entryId } = await upload(bench, await seedStandard(), await fileContent(long));
  // Its first copy is there, so it's being encoded.
  await waitForEntry(entryId, (row) => row.videoKey !== null);
  const beside = await repeat(3, measure);
  const [row] = await db()
    .select({ status: entries.videoStatus })
    .from(entries)
    .where(eq(entries.id, entryId));
  if (row?.status !== 'processing') throw new Error('The two hours were encoded too soon.');
  return [
    measurement('30 s of VP9 to completed, later beside two hours of another', {
      unit: 's',
      ours: Math.max(0, beside - alone),
      limit: 5,
      bar: 1,
    }),
  ];
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
    const minute = await fileContent(await h264Minute(bench.folder));
    const seconds = await repeat(3, () => secondsToCompleted(bench, session, minute));
    return [
      measurement('upload complete to completed, 10 s H.264', { unit: 's', ours, limit, bar: 2.5 }),
      measurement('upload complete to completed, 60 s H.264', { unit: 's', ours: seconds, limit: 3, bar: 1 }),
      ...(await besideTwoHours(bench)),
    ];
  },
};
