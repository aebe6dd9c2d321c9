import { readFile } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { deleteObject, readObject } from '@/lib/clients/storage-objects';
import { checksumFile, saveChecksum, selectKnownFiles } from '@/lib/journal/entries/checksums';
import { entryKey } from '@/lib/journal/entries/keys';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { probeSource, publishVideo } from '@/lib/video/processing/video';
import { checkExpiredUploadUrls } from '@/lib/video/uploads/expired-upload-urls';
import { fragmentedMp4, h264Mp4, indexLastMp4 } from '@/test/media/clips';
import { CORPUS } from '@/test/media/corpus/clips';
import { silentFirstTrack } from '@/test/media/corpus/odd-clips';
import { makeOutdated, processStarted, runProgram } from '@/test/outdated-videos';
import { startLocalServices } from '@/test/services';
import { compare } from '@/test/stored-entries';
import { objectsOf } from '@/test/upload-fixtures';
import { getEntryRow } from '@/test/video-fixtures';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterEach(() => db().delete(entries));
afterAll(() => services.end());

const hdr = async () => (await CORPUS.find(({ name }) => name === 'hevc-hlg_aac.mp4')?.make()) ?? '';
const noWait = () => Promise.reject(new Error('It shouldn’t have waited.'));

/** Makes an entry whose upload was copied into its video by the current revision. */
async function makeStoredTwice(source: string, fileName = 'day.mp4') {
  const entry = await makeOutdated({ source, video: source }, { fileName, videoRevision: 1 });
  const sums = await checksumFile(source);
  await saveChecksum(db(), entry.entryId, 'source', { ...sums, playable: true });
  return { ...entry, send: noWait };
}

/** Lets ten minutes pass, after which the sweep looks at uploads. */
async function sweepLater(): Promise<void> {
  const past = sql`${entries.uploadExpiresAt} - interval '10 minutes'`;
  await db().update(entries).set({ uploadExpiresAt: past });
  await checkExpiredUploadUrls();
}

it.each([
  ['a video that plays as it is', h264Mp4, 'day.mp4'],
  ['a recording', fragmentedMp4, 'browser_uploaded.mp4'],
])('stores %s once if it’s asked to', async (_, clip, fileName) => {
  const entry = await makeStoredTwice(await clip(), fileName);
  expect(await runProgram(['--repair'], noWait)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
  const [code, printed] = await runProgram(['--repair', '--store-once']);
  expect([code, printed]).toEqual([0, expect.stringContaining(`${entry.entryId} again (stored twice)`)]);
  await processStarted();
  expect(await objectsOf(entry)).toContain('source');
  await sweepLater();
  expect(await objectsOf(entry)).toEqual(['thumbnail.jpg', 'video.mp4']);
  expect(await getEntryRow(entry.entryId)).toMatchObject({ videoStatus: 'ready', storedOnce: true });
  expect(await runProgram(['--repair', '--store-once'], noWait)).toEqual([
    0,
    expect.stringContaining('Checked 0 videos'),
  ]);
});

it('keeps an upload whose video was lost before it went', async () => {
  const entry = await makeStoredTwice(await h264Mp4());
  await runProgram(['--repair', '--store-once']);
  await processStarted();
  await deleteObject(entryKey(entry.userId, entry.entryId, 'video.mp4'));
  await sweepLater();
  expect(await objectsOf(entry)).toContain('source');
  expect(Object.values(await compare()).join()).not.toContain('no longer needed');
});

it('leaves a video alone whose upload is needed', async () => {
  const entry = await makeStoredTwice(await indexLastMp4());
  const before = await getEntryRow(entry.entryId);
  const [code, printed] = await runProgram(['--repair', '--store-once'], noWait);
  expect([code, printed]).toEqual([0, expect.stringContaining('Being made again: 0. Fine: 1.')]);
  expect(await getEntryRow(entry.entryId)).toEqual(before);
});

it('leaves the only copy alone if the entry is removed before another video is made of it', async () => {
  const upload = await hdr();
  const entry = await makeOutdated({ video: upload }, { storedOnce: true, videoStatus: 'processing' });
  const { userId, entryId } = entry;
  const source = (await probeSource(entry)) as MediaProbe;
  await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId));
  expect(await publishVideo(entry, source)).toBe(false);
  const video = await readObject(entryKey(userId, entryId, 'video.mp4'));
  expect(video?.equals(await readFile(upload))).toBe(true);
});

it('doesn’t take an upload for one that plays from a disk if its first track is silent', async () => {
  const { entryId } = await makeOutdated({ source: await silentFirstTrack() }, { videoStatus: 'processing' });
  await processStarted();
  expect((await selectKnownFiles([entryId])).get(entryId)).toMatchObject({
    source: { playable: false },
    'video.mp4': { playable: true },
  });
});

it('stores the only copy apart before another video is made of it', async () => {
  const upload = await hdr();
  const entry = await makeOutdated({ video: upload }, { storedOnce: true });
  await runProgram(['--repair']);
  await processStarted();
  const { userId, entryId } = entry;
  const stored = await readObject(entryKey(userId, entryId, 'source'));
  expect(stored?.equals(await readFile(upload))).toBe(true);
  expect(await getEntryRow(entryId)).toMatchObject({
    ...{ videoStatus: 'ready', storedOnce: false },
    sourceEtag: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const video = await readObject(entryKey(userId, entryId, 'video.mp4'));
  expect(video?.equals(await readFile(upload))).toBe(false);
  await sweepLater();
  expect(await objectsOf({ ...entry, send: noWait })).toContain('source');
});
