import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { outbox } from '@/db/schema/outbox';
import { bucket, s3 } from '@/lib/clients/storage';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { exportPrefix } from '@/lib/portability/exports/run';
import { deleteExport, getExport } from '@/lib/portability/exports/service';
import { tidyExports } from '@/lib/portability/exports/upkeep';
import { waitUntil } from '@/local/inngest/test-runner';
import { addTranscript } from '@/test/entry-fixtures';
import { readArchive, requestExport } from '@/test/export-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startJobFixture } from '@/test/job-fixture';

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

async function journal() {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'failed', videoKey: null });
  await addTranscript(entryId, 'hello');
  return userId;
}

/** The emails that wait to be sent; nothing takes them here. */
const countMails = () => db().$count(outbox, eq(outbox.kind, 'mail'));

async function objectsOf(run: Parameters<typeof exportPrefix>[0]) {
  const list = new ListObjectsV2Command({ Bucket: bucket(), Prefix: exportPrefix(run) });
  return ((await s3().send(list)).Contents ?? []).map(({ Key }) => Key?.split('.').at(-1));
}

it('prepares an archive, says so once by email, and deletes its files with it', async () => {
  const run = await requestExport(await journal(), { notify: true });
  await deliverOutbox();
  expect(await jobs.endOf('prepare-export')).toMatchObject({ status: 'completed' });
  expect(await getExport(run.userId, run.exportId)).toMatchObject({ status: 'ready', error: null });
  expect((await readArchive(run)).journal.entries).toHaveLength(1);
  expect(await countMails()).toBe(1);
  // Only the archive stays.
  expect(await objectsOf(run)).toEqual(['zip']);

  await deleteExport(run.userId, run.exportId);
  await deliverOutbox();
  await jobs.endOf('delete-export');
  expect(await objectsOf(run)).toEqual([]);
});

it('goes on after storage was away for longer than the retries', async () => {
  const run = await requestExport(await journal());
  const repair = jobs.proxy.refuse(/^PUT .*\.zip$/, 503);
  await deliverOutbox();
  expect(await jobs.hurry(jobs.endOf('prepare-export'))).toMatchObject({ status: 'failed' });
  expect(await getExport(run.userId, run.exportId)).toMatchObject({ status: 'preparing', error: null });
  repair();
  await db()
    .update(exports)
    .set({ beatAt: sql`now() - interval '20 minutes'` })
    .where(eq(exports.id, run.exportId));
  await tidyExports();
  await deliverOutbox();
  expect(await jobs.hurry(jobs.endOf('prepare-export'))).toMatchObject({ status: 'completed' });
  expect((await readArchive(run)).journal.entries).toHaveLength(1);
});

it('fails after a few attempts, and leaves nothing', async () => {
  const run = await requestExport(await journal());
  const repair = jobs.proxy.refuse(/^PUT .*\.zip$/, 412);
  await deliverOutbox();
  expect(await jobs.hurry(jobs.endOf('prepare-export'))).toMatchObject({ status: 'failed' });
  repair();
  await jobs.hurry(
    waitUntil('its failure', async () => (await getExport(run.userId, run.exportId)).status === 'failed'),
  );
  await deliverOutbox();
  await jobs.hurry(waitUntil('its objects to go', async () => (await objectsOf(run)).length === 0));
});

it('stops when its archive is deleted, and leaves nothing', async () => {
  const run = await requestExport(await journal());
  jobs.proxy.beforeUpload('.zip', () => deleteExport(run.userId, run.exportId));
  await deliverOutbox();
  await jobs.hurry(jobs.endOf('prepare-export'));
  await deliverOutbox();
  await jobs.hurry(waitUntil('its objects to go', async () => (await objectsOf(run)).length === 0));
});
