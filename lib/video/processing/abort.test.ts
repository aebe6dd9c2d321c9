import { readdir } from 'node:fs/promises';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { bucket, s3 } from '@/lib/clients/storage';
import { deletePrefix, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey, entryPrefix } from '@/lib/journal/entries/keys';
import { getEntry } from '@/lib/journal/entries/service';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { type EntryRef, startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { probe } from '@/lib/video/media/probe';
import { makeEntry, makeUser } from '@/test/factories';
import { ffmpegProcesses, pauseFfmpeg } from '@/test/ffmpeg-processes';
import { vp9Webm } from '@/test/media/clips';
import { startLocalServices } from '@/test/services';
import { removeCachedCopies, workspaceRoot } from './entry-files';
import { ffmpegTool } from './media-tool';
import { publishRemux } from './remux';
import { runEntryStep } from './step';
import { publishVideo } from './video';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

async function processing() {
  const { id: userId } = await makeUser();
  const values = { videoStatus: 'processing', videoKey: null, transcriptStatus: 'completed' } as const;
  const { id: entryId } = await makeEntry(userId, values);
  const file = await vp9Webm();
  await uploadObject(file, entryKey(userId, entryId, 'source'), 'video/webm');
  const source = await probe(await ffmpegTool(), file);
  await startJobs(db(), 'video', [{ entryId, userId }]);
  const run = { entryId, userId, kind: 'video' as const, generation: 1, runId: 'run', attempt: 0 };
  return { run, source };
}

async function objectsOf({ userId, entryId }: EntryRef): Promise<string[]> {
  const prefix = entryPrefix(userId, entryId);
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }));
  return Contents.map(({ Key = '' }) => Key.slice(prefix.length)).sort();
}

const filesOf = async ({ entryId }: EntryRef) =>
  (await readdir(workspaceRoot())).filter((name) => name.startsWith(entryId));

describe.runIf(process.platform === 'linux')('an ffmpeg that is running', () => {
  it('ends when its entry is deleted, though nothing cancels the run, and leaves no file and no object', async () => {
    const { run, source } = await processing();
    const step = runEntryStep(run, (one) => publishVideo(one, source));
    await pauseFfmpeg(run.entryId, step);
    await removeEntry(run.userId, run.entryId);
    await purgeEntry(run.userId, run.entryId);
    await deletePrefix(entryPrefix(run.userId, run.entryId));
    expect(await step).toEqual({ stopped: 'removed' });
    expect(await ffmpegProcesses(run.entryId)).toEqual([]);
    expect(await objectsOf(run)).toEqual([]);
    expect(await filesOf(run)).toEqual([]);
  });
});

it('makes no second copy for an entry that plays, and never goes back to one from the final video', async () => {
  const { run, source } = await processing();
  await publishRemux(run, source);
  const [first] = await versions(run);
  await publishRemux(run, source);
  expect(await versions(run)).toEqual([first]);
  await publishVideo(run, source);
  await publishRemux(run, source);
  const { videoUrl } = await getEntry(run.userId, run.entryId);
  expect(videoUrl).toContain('video.mp4');
  await removeCachedCopies(run.entryId);
});

/** Returns when each first copy of an entry was uploaded. */
async function versions({ userId, entryId }: EntryRef) {
  const prefix = `${entryPrefix(userId, entryId)}remux`;
  const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket(), Prefix: prefix }));
  return Contents.map(({ LastModified }) => LastModified?.getTime());
}
