import { writeFile } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { beginMultipart } from '@/lib/clients/multipart';
import { deleteObject, uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { queuedEmails } from '@/test/app-database';
import {
  makeStoredVideo,
  noHurry,
  prepareArchive,
  readArchive,
  requestExport,
  storedBy,
} from '@/test/export-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { announce, assemble } from './assemble';
import { layOut } from './prepare';
import { currentExport, type ExportRun, ExportStopped, layoutKeys } from './run';
import { getExport } from './service';
import { failExport, tidyExports } from './upkeep';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Requests an archive of a journal with one video, as large as a few parts. */
async function requestOne(bytes = 20_000_000) {
  const { id: userId } = await makeUser();
  const video = await makeStoredVideo(services.folder('video'), userId, bytes, {
    videoStatus: 'failed',
    videoKey: null,
  });
  return { ...video, run: await requestExport(userId) };
}

const rowOf = async ({ exportId }: ExportRun) => {
  const [row] = await db().select().from(exports).where(eq(exports.id, exportId));
  if (!row) throw new Error('no such archive');
  return row;
};

describe('a layout', () => {
  it('is that of the faster attempt, and the other leaves nothing', async () => {
    const { run } = await requestOne(10);
    await Promise.all([layOut(run, noHurry()), layOut(run, noHurry())]);
    const { layoutId } = await currentExport(run);
    const keys = layoutKeys(run, layoutId ?? '');
    expect(await storedBy(run)).toEqual({ objects: [keys.segments, keys.text], uploads: [keys.archive] });
  });

  it('leaves nothing if it can’t be finished', async () => {
    const { run } = await requestOne(10);
    await expect(layOut(run, noHurry(AbortSignal.abort()))).rejects.toThrow();
    expect(await storedBy(run)).toEqual({ objects: [], uploads: [] });
  });

  it('leaves nothing if it’s given up, because a video was replaced', async () => {
    const { id: entryId, run } = await requestOne();
    await layOut(run, noHurry());
    expect(await assemble(run, { ...noHurry(), deadline: 0 })).toBe('unfinished');
    await writeFile(services.folder('video'), 'another one');
    await uploadObject(services.folder('video'), entryKey(run.userId, entryId, 'source'), 'video/mp4');
    expect(await assemble(run, noHurry())).toBe('changed');
    expect(await storedBy(run)).toEqual({ objects: [], uploads: [] });
    await prepareArchive(run);
    expect((await readArchive(run)).journal.entries[0]?.original?.bytes).toBe('another one'.length);
  });

  it('is kept by a run that’s started again, with the parts that have arrived', async () => {
    const { run } = await requestOne();
    await layOut(run, noHurry());
    const { layoutId, multipartId } = await currentExport(run);
    await silence(run, '7 hours');
    await deliverOutbox(200);
    await tidyExports();
    const again = { ...run, generation: 2 };
    await layOut(again, noHurry());
    expect(await currentExport(again)).toMatchObject({ layoutId, multipartId });
    await expect(layOut(run, noHurry())).rejects.toThrow(ExportStopped);
    await prepareArchive(again);
    await readArchive(again);
  });
});

describe('an archive', () => {
  it('doesn’t seem less done when it’s laid out again', async () => {
    const { run } = await requestOne(10);
    await db().update(exports).set({ progress: 700 }).where(eq(exports.id, run.exportId));
    await layOut(run, noHurry());
    expect(await rowOf(run)).toMatchObject({ progress: 700 });
  });

  it('isn’t ready if storage has lost it', async () => {
    const { run } = await requestOne(10);
    await layOut(run, noHurry());
    await assemble(run, noHurry());
    const { layoutId } = await currentExport(run);
    await deleteObject(layoutKeys(run, layoutId ?? '').archive);
    expect(await announce(run)).toBe('changed');
    expect(await rowOf(run)).toMatchObject({ status: 'preparing', layoutId: null });
    await prepareArchive(run);
    await readArchive(run);
  });

  it('is all that stays, though attempts were killed, and one after it was announced', async () => {
    const { run } = await requestOne(10);
    // As they are between the upload's beginning and the layout's record.
    const killed = layoutKeys(run, uuidv7());
    await uploadObject(services.folder('video'), killed.segments, 'application/x-ndjson');
    await beginMultipart(killed.archive, 'application/zip');
    await prepareArchive(run);
    const { layoutId } = await rowOf(run);
    const { archive, text } = layoutKeys(run, layoutId ?? '');
    await uploadObject(services.folder('video'), text, 'application/octet-stream');
    expect(await announce(run)).toBe('done');
    expect(await storedBy(run)).toEqual({ objects: [archive], uploads: [] });
  });

  it('has its objects deleted when it fails', async () => {
    const { run } = await requestOne(10);
    await layOut(run, noHurry());
    const { layoutId } = await rowOf(run);
    await failExport(run);
    await failExport(run);
    expect(await getExport(run.userId, run.exportId)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Something went wrong on our end\. Your journal is safe\./),
    });
    const left = ((await rowOf(run)).expiresAt?.getTime() ?? 0) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(7 * 24);
    await deliverOutbox(200);
    const { exportId, userId } = run;
    const told = services.sink.events.filter(({ name }) => name === 'export/failed');
    expect(told.map(({ data }) => data)).toEqual([{ exportId, userId, layoutId }]);
  });
});

it('tells its owner by email that it failed, if they wanted to hear when it’s ready', async () => {
  const user = await makeUser();
  const run = await requestExport(user.id, { notify: true, fromYear: 2020 });
  await failExport(await requestExport(user.id));
  await failExport(run);
  expect((await queuedEmails(user.email)).map(({ subject }) => subject)).toEqual([
    'We couldn’t prepare your download',
  ]);
});

/** Makes it look as if a run was last heard from so long ago. */
async function silence({ exportId }: ExportRun, interval: string) {
  await db()
    .update(exports)
    .set({ beatAt: sql`now() - ${interval}::interval` })
    .where(eq(exports.id, exportId));
}

it('starts a silent run again, unless it waits for others', async () => {
  await db().delete(exports);
  const [waiting, first, second] = [await requestOne(10), await requestOne(10), await requestOne(10)];
  await deliverOutbox(200);
  const generation = async () => {
    await tidyExports();
    return (await rowOf(waiting.run)).generation;
  };
  await silence(waiting.run, '14 minutes');
  expect(await generation()).toBe(1);
  await silence(waiting.run, '20 minutes');
  expect(await generation()).toBe(1);
  await failExport(first.run);
  expect(await generation()).toBe(2);
  await deliverOutbox(200);
  // It has just been started.
  expect(await generation()).toBe(2);
  // Runs of an account wait for each other.
  await requestExport(waiting.run.userId, { fromYear: 2020 });
  await failExport(second.run);
  await deliverOutbox(200);
  await silence(waiting.run, '20 minutes');
  expect(await generation()).toBe(2);
  await silence(waiting.run, '7 hours');
  expect(await generation()).toBe(3);
});
