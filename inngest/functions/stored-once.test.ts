import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { mediaAddress } from '@/lib/journal/entries/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { downloadAddress, listDownloads } from '@/lib/video/downloads/service';
import { removeCachedCopies, withEntryFile } from '@/lib/video/processing/entry-files';
import { prepareArchive, readArchive, requestExport } from '@/test/export-fixtures';
import { startJobFixture } from '@/test/job-fixture';
import { fragmentedMp4, h264Mp4, indexLastMp4, rotatedMp4 } from '@/test/media/clips';
import { inspectMedia } from '@/test/media/inspect';
import { compare } from '@/test/stored-entries';
import { completed, expire, objectsOf, rowOf, type Upload } from '@/test/upload-fixtures';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;
beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

const ONCE = ['storyboard.jpg', 'thumbnail.jpg', 'video.mp4'];
const TWICE = ['source', ...ONCE].sort();

/** Uploads a clip and waits until the address that it was sent to has expired, long after its jobs. */
async function processed(clip: () => Promise<string>, fileName = 'day.mp4'): Promise<Upload> {
  const upload = await completed(clip);
  await db().update(entries).set({ fileName }).where(eq(entries.id, upload.entryId));
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.hurry(jobs.endOf(name));
  // There's no speech service, and its audio goes after that was found out.
  await expect.poll(() => objectsOf(upload), { timeout: 60_000 }).toEqual(TWICE);
  await expire(upload);
  await jobs.sweep();
  return upload;
}

const bytesAt = async ({ url }: { url: string }) => Buffer.from(await (await fetch(url)).arrayBuffer());

it('stores a video once that plays as it is, and lets its owner have it back to the byte', async () => {
  const sent = await readFile(await h264Mp4());
  const upload = await processed(h264Mp4);
  const { userId, entryId } = upload;
  expect(await objectsOf(upload)).toEqual(ONCE);
  expect(await rowOf(upload)).toMatchObject({ storedOnce: true, bytes: sent.length, uploadExpiresAt: null });

  expect((await bytesAt(await mediaAddress(userId, entryId, 'video'))).equals(sent)).toBe(true);
  for (const kind of ['original', 'video'] as const)
    expect((await bytesAt(await downloadAddress(userId, entryId, kind))).equals(sent)).toBe(true);
  const listed = await listDownloads(userId, entryId);
  expect(listed.flatMap(({ kind, bytes }) => (bytes === null ? [] : [[kind, bytes]]))).toEqual([
    ['original', sent.length],
  ]);

  const exported = await requestExport(userId);
  await prepareArchive(exported);
  const { files, paths } = await readArchive(exported);
  const videos = paths.filter((name) => name.endsWith('.mp4'));
  expect(videos).toHaveLength(1);
  expect(files.get(videos[0] ?? '')?.equals(sent)).toBe(true);
  expect(await compare()).toEqual({});
});

it('stores a recording once, with all of its packets', async () => {
  const upload = await processed(fragmentedMp4, 'browser_uploaded.mp4');
  expect(await objectsOf(upload)).toEqual(ONCE);
  const found = await withEntryFile(upload, 'source', async ({ input }) => inspectMedia(input));
  expect(found.streams.map((one) => one.codec_name)).toEqual(['h264', 'aac', 'opus']);
  await removeCachedCopies(upload.entryId);
  expect(await compare()).toEqual({});
});

it.each([
  ['whose index comes last', indexLastMp4],
  ['that somebody else recorded in fragments', fragmentedMp4],
])('keeps the upload of a video %s', async (_, clip) => {
  const upload = await processed(clip);
  expect(await objectsOf(upload)).toEqual(TWICE);
  expect(await rowOf(upload)).toMatchObject({ storedOnce: false });
});

it('isn’t changed by a file that’s sent to the same address later, which goes', async () => {
  const upload = await completed(h264Mp4);
  await deliverOutbox();
  for (const name of ['process-video', 'transcribe', 'finish-video']) await jobs.hurry(jobs.endOf(name));
  await upload.send(await rotatedMp4());
  await expire(upload);
  await jobs.sweep();
  expect(await objectsOf(upload)).toEqual(ONCE);
  const played = await bytesAt(await mediaAddress(upload.userId, upload.entryId, 'video'));
  expect(played.equals(await readFile(await h264Mp4()))).toBe(true);
  expect(await rowOf(upload)).toMatchObject({ videoStatus: 'ready', videoError: null });
});
