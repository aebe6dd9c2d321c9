import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { getEntry, mediaAddress } from '@/lib/journal/entries/service';
import { MediaError } from '@/lib/video/media/errors';
import { savePreviews } from '@/lib/video/previews/service';
import { failVideo, VIDEO_FAILED } from '@/lib/video/processing/video';
import { h264Mp4, noAudioMp4 } from '@/test/media/clips';
import { CORPUS } from '@/test/media/corpus/clips';
import { movingFields, silentFirstTrack, unreadableSound } from '@/test/media/corpus/odd-clips';
import { makeOutdated, processStarted, runProgram, startsOf } from '@/test/outdated-videos';
import { startLocalServices } from '@/test/services';
import { getEntryRow } from '@/test/video-fixtures';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterEach(() => db().delete(entries));
afterAll(() => services.end());

const REPAIR = ['--repair'];
const UNREADABLE = new MediaError('unreadable').message;
const FAILED = { videoStatus: 'failed', videoKey: null, durationMs: null, videoError: UNREADABLE } as const;

function corpusClip(name: string): Promise<string> {
  const clip = CORPUS.find((one) => one.name === name);
  if (!clip) throw new Error(`The corpus has no ${name}.`);
  return clip.make();
}
const hdr = () => corpusClip('hevc-hlg_aac.mp4');
const avi = () => corpusClip('mpeg4_mp3.avi');

const noWait = () => Promise.reject(new Error('It shouldn’t have waited.'));

it('has a failed video in a format that can be read now tried again, and it becomes ready', async () => {
  const { entryId } = await makeOutdated({ source: await avi() }, FAILED);
  expect(await runProgram([], noWait)).toEqual([1, expect.stringContaining('1 video failed')]);
  const [code, printed] = await runProgram(REPAIR);
  expect([code, printed]).toEqual([0, expect.stringContaining(`Making ${entryId} again (failed before).`)]);
  expect(printed).toContain('Checked 1 video. Being made again: 1. Fine: 0. Couldn’t be checked: 0.');
  await processStarted();
  expect(await getEntryRow(entryId)).toMatchObject({ videoStatus: 'ready', videoError: null });
});

it('doesn’t try a file again that this revision couldn’t read, either', async () => {
  const entry = await makeOutdated({ source: await avi() }, FAILED);
  await runProgram(REPAIR);
  await failVideo(entry, UNREADABLE);
  expect(await runProgram(REPAIR, noWait)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
  expect(await getEntryRow(entry.entryId)).toMatchObject({ videoStatus: 'failed', videoError: UNREADABLE });
});

describe('a video that shows HDR as if it were ordinary', () => {
  it('plays until it’s made again, and then has another address, thumbnail, and previews', async () => {
    const entry = await makeOutdated({ source: await hdr(), video: await h264Mp4() });
    const { userId, entryId } = entry;
    await savePreviews(userId, entryId, { waveform: 'AAAA' });
    const urlOf = async () => (await getEntry(userId, entryId)).videoUrl;
    const storageUrl = async () => (await mediaAddress(userId, entryId, 'video')).url;
    const before = [await urlOf(), await storageUrl()];

    const [code, printed] = await runProgram(REPAIR);
    expect([code, printed]).toEqual([0, expect.stringContaining(`Making ${entryId} again (HDR).`)]);
    expect([await urlOf(), await storageUrl()]).toEqual(before);
    expect(await getEntry(userId, entryId)).toMatchObject({ status: 'completed', videoStatus: 'processing' });

    await processStarted();
    const after = [await urlOf(), await storageUrl()];
    expect(after[0]).toMatch(/\?v=video\.mp4-[0-9a-f]{12}$/);
    expect(after[1]).not.toBe(before[1]);
    expect((await fetch(after[1] ?? '')).status).toBe(200);
    expect(await getEntryRow(entryId)).toMatchObject({
      ...{ videoStatus: 'ready', videoRevision: 1, transcriptStatus: 'completed' },
      thumbnailKey: expect.stringContaining('thumbnail.jpg'),
    });
    expect(await startsOf('previews', entryId)).toBe(1);
    expect(await startsOf('transcript', entryId)).toBe(0);
    const [made] = await db().select().from(previews).where(eq(previews.entryId, entryId));
    expect(made).toMatchObject({ waveform: null });
  });

  it('isn’t made again if it’s moved to the trash while it waits', async () => {
    const busy = await makeOutdated({ source: await h264Mp4() }, { videoStatus: 'processing' });
    const { entryId } = await makeOutdated({ source: await hdr(), video: await h264Mp4() });
    const pause = async () => {
      await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId));
      await db().delete(entries).where(eq(entries.id, busy.entryId));
    };
    expect(await runProgram(REPAIR, pause)).toEqual([0, expect.stringContaining('Being made again: 0.')]);
    expect(await getEntryRow(entryId)).toMatchObject({ videoStatus: 'ready', videoRevision: null });
    expect(await startsOf('video', entryId)).toBe(0);
  });

  it('is ready as before if it can’t be made again', async () => {
    const entry = await makeOutdated({ source: await hdr(), video: await h264Mp4() });
    await runProgram(REPAIR);
    await failVideo(entry, 'It takes too long.');
    expect(await getEntryRow(entry.entryId)).toMatchObject({ videoStatus: 'ready', videoError: null });
    expect(await runProgram(REPAIR, noWait)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
  });

  it('is found again if its job failed for another reason than the file', async () => {
    const entry = await makeOutdated({ source: await hdr(), video: await h264Mp4() });
    await runProgram(REPAIR);
    await failVideo(entry, VIDEO_FAILED);
    expect(await runProgram(REPAIR, noWait)).toEqual([0, expect.stringContaining('Being made again: 1.')]);
    expect(await startsOf('video', entry.entryId)).toBe(2);
  });
});

it('makes interlaced videos again', async () => {
  const { entryId } = await makeOutdated({ source: await movingFields(), video: await noAudioMp4() });
  const [, printed] = await runProgram(REPAIR);
  expect(printed).toContain(`Making ${entryId} again (interlaced).`);
});

describe('a video without its sound', () => {
  const SILENT = { transcriptStatus: 'no_speech' } as const;

  it('is made again, and transcribed', async () => {
    const { entryId } = await makeOutdated({ source: await h264Mp4(), video: await noAudioMp4() }, SILENT);
    const [, printed] = await runProgram(REPAIR);
    expect(printed).toContain(`Making ${entryId} again (sound).`);
    expect(await getEntryRow(entryId)).toMatchObject({ transcriptStatus: 'processing' });
    expect(await startsOf('transcript', entryId)).toBe(1);
  });

  it('is made again if it has a silent track instead', async () => {
    const { entryId } = await makeOutdated(
      { source: await silentFirstTrack(), video: await h264Mp4() },
      SILENT,
    );
    const [, printed] = await runProgram(REPAIR);
    expect(printed).toContain(`Making ${entryId} again (sound).`);
    expect(await startsOf('transcript', entryId)).toBe(1);
  });

  it.each(['completed', 'failed', 'no_speech'] as const)(
    'keeps the words of a transcript that is %s',
    async (transcriptStatus) => {
      const { entryId } = await makeOutdated(
        { source: await h264Mp4(), video: await noAudioMp4() },
        { transcriptStatus },
      );
      const words: StoredWord[] = [['Hello', 0, 1]];
      await db().insert(transcripts).values({ entryId, revision: 1, words, estimated: false });
      await runProgram(REPAIR);
      await processStarted();
      expect(await getEntryRow(entryId)).toMatchObject({ videoStatus: 'ready', transcriptStatus });
      expect(await startsOf('transcript', entryId)).toBe(0);
      expect(await db().select().from(transcripts)).toMatchObject([{ entryId, revision: 1, words }]);
    },
  );

  it('says why if the sound can’t be decoded now, either', async () => {
    const { entryId } = await makeOutdated({ source: await unreadableSound(), video: await noAudioMp4() });
    expect(await runProgram(REPAIR, noWait)).toEqual([
      0,
      expect.stringContaining('Being made again: 0. Fine: 1.'),
    ]);
    expect(await getEntryRow(entryId)).toMatchObject({ soundError: expect.stringContaining('AC-4') });
  });
});

it('only notes of an ordinary video that it was checked, and doesn’t check it twice', async () => {
  const clip = await h264Mp4();
  const { entryId } = await makeOutdated({ source: clip, video: clip });
  const before = await getEntryRow(entryId);
  expect(await runProgram([], noWait)).toEqual([
    1,
    expect.stringContaining('1 video from an earlier version'),
  ]);
  expect(await runProgram(REPAIR, noWait)).toEqual([
    0,
    expect.stringContaining('Being made again: 0. Fine: 1.'),
  ]);
  expect(await getEntryRow(entryId)).toEqual({ ...before, videoRevision: 1 });
  expect(await startsOf('video', entryId)).toBe(0);
  expect(await runProgram(REPAIR, noWait)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
  expect(await runProgram([], noWait)).toEqual([0, 'Every video is up to date.']);
});

it.each([
  ['is in the trash', { trashedAt: new Date() }],
  ['is on hold', { ...FAILED, heldByPlan: true }],
  ['is being processed', { videoStatus: 'processing' as const }],
  ['is being uploaded', { videoStatus: 'uploading' as const, videoKey: null }],
  ['failed for another reason', { ...FAILED, videoError: new MediaError('too_large').message }],
])('leaves an entry alone that %s', async (_, values) => {
  const { entryId } = await makeOutdated({ source: await hdr(), video: await h264Mp4() }, values);
  const before = await getEntryRow(entryId);
  expect(await runProgram(REPAIR, noWait)).toEqual([0, expect.stringContaining('Checked 0 videos')]);
  expect(await getEntryRow(entryId)).toEqual(before);
});

it('goes on after a video that can’t be checked, and says which', async () => {
  const lost = await makeOutdated({});
  const gone = await makeOutdated({}, FAILED);
  const { entryId } = await makeOutdated({ source: await hdr(), video: await h264Mp4() });
  const [code, printed] = await runProgram(REPAIR);
  expect(code).toBe(1);
  expect(printed).toContain(`Skipped ${lost.entryId}. We couldn’t find this video in storage.`);
  expect(printed).toContain(`Skipped ${gone.entryId}. We no longer have this video.`);
  expect(printed).toContain(`Making ${entryId} again (HDR).`);
  expect(printed).toContain('Checked 3 videos. Being made again: 1. Fine: 0. Couldn’t be checked: 2.');
});

it('starts a video only while fewer are being processed than it may', async () => {
  const files = { source: await hdr(), video: await h264Mp4() };
  for (let count = 0; count < 3; count += 1) await makeOutdated(files);
  const inProgress: number[] = [];
  const pause = async () => {
    inProgress.push(await db().$count(entries, eq(entries.videoStatus, 'processing')));
    await processStarted();
  };
  const [, printed] = await runProgram([...REPAIR, '--at-once', '2'], pause);
  expect(inProgress).toEqual([2]);
  expect(printed.match(/Waiting/g)).toHaveLength(1);
  expect(printed).toContain('Being made again: 3.');
});

it('explains a wrong command', async () => {
  expect(await runProgram(['--at-once', '0'], noWait)).toEqual([
    2,
    expect.stringMatching(/^--at-once takes/),
  ]);
  expect(await runProgram(['--help'], noWait)).toEqual([0, expect.stringMatching(/^Finds videos/)]);
});
