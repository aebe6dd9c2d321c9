import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { previews } from '@/db/schema/previews';
import { listObjects, putObject, type StorageAccess, storageClient } from '@/e2e/storage';
import { deleteObject } from '@/lib/clients/storage-objects';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { compareStorage, findUnfinished, listMultipartUploads, readEntries } from './evidence';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let sql: postgres.Sql;
let site: { storage: StorageAccess };
let entry: Awaited<ReturnType<typeof makeEntry>>;

beforeAll(async () => {
  services = await startLocalServices();
  sql = postgres(services.databaseUrl, { max: 1 });
  const { S3_ENDPOINT = '', S3_REGION = '', S3_BUCKET = '' } = process.env;
  const { S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env;
  site = {
    storage: {
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
  };
});
afterAll(async () => {
  await sql.end();
  await services.end();
});

const keyOf = (name: string) => `entries/${entry.userId}/${entry.id}/${name}`;
const compare = async () => compareStorage(await readEntries(sql), site);

beforeEach(async () => {
  await db().delete(entries);
  await db().delete(outbox);
  for (const key of await listObjects(site)) await deleteObject(key);
  entry = await makeEntry((await makeUser()).id);
  const storyboard = { everySeconds: 1, count: 1, columns: 1, width: 1, height: 1 };
  await db().insert(previews).values({ entryId: entry.id, storyboard, waveform: '' });
  for (const name of ['source', 'video.mp4', 'storyboard.jpg']) await putObject(site, keyOf(name), 'x');
});

it('finds nothing about an entry that’s done', async () => {
  expect(await findUnfinished(sql)).toEqual([]);
  expect(await compare()).toEqual([]);
  expect(await listMultipartUploads(site)).toEqual([]);
});

it('finds objects that are missing, or that no row refers to', async () => {
  await deleteObject(keyOf('storyboard.jpg'));
  await putObject(site, keyOf('speech-0.ogg'), 'x');
  // The first copy stays for those who watch it.
  await putObject(site, keyOf('remux.webm'), 'x');
  await putObject(site, 'entries/someone/something/source', 'x');
  expect(await compare()).toEqual([
    `“A day” (${entry.id}) lacks storyboard.jpg`,
    `“A day” (${entry.id}) also has speech-0.ogg`,
    'entries/someone/something belongs to no entry: source',
  ]);
});

it('finds entries, jobs, messages, and uploads that aren’t done', async () => {
  const is = eq(entries.id, entry.id);
  await db().update(entries).set({ videoStatus: 'processing' }).where(is);
  await db().insert(entryJobs).values({ entryId: entry.id, kind: 'video', holder: 'worker' });
  await db().insert(outbox).values({ id: 'due', kind: 'event', payload: '{}' });
  await db()
    .insert(outbox)
    .values({ id: 'later', kind: 'event', payload: '{}', dueAt: new Date(Date.now() + 3_600_000) });
  expect(await findUnfinished(sql)).toEqual([
    'outbox: event due, 0 attempts',
    `job: video of ${entry.id} is held by worker`,
    `entry: “A day” (${entry.id}) is processing, completed`,
  ]);
  await db().update(entries).set({ videoStatus: 'ready' }).where(is);
  const lacks = [
    expect.stringMatching(/^outbox/),
    expect.stringMatching(/^job/),
    `previews: “A day” (${entry.id}) lacks some`,
  ];
  await db().update(previews).set({ waveform: null });
  expect(await findUnfinished(sql)).toEqual(lacks);
  await db().delete(previews);
  expect(await findUnfinished(sql)).toEqual(lacks);
  const { bucket } = site.storage;
  await storageClient(site).send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: keyOf('source') }));
  expect(await listMultipartUploads(site)).toEqual([keyOf('source')]);
});

it('finds nothing to do for a job that was cut off in the trash', async () => {
  await db().insert(entryJobs).values({ entryId: entry.id, kind: 'video', holder: 'worker' });
  await db()
    .update(entries)
    .set({ trashedAt: new Date(), videoStatus: 'processing' })
    .where(eq(entries.id, entry.id));
  expect(await findUnfinished(sql)).toEqual([]);
});
