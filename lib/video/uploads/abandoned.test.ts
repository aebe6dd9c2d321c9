import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { bucket, s3 } from '@/lib/clients/storage';
import { entryKey } from '@/lib/journal/entries/keys';
import { makeEntry, makeUser } from '@/test/factories';
import { eventsOf, request, sendPart, sentUpload, statusOf } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { reconcileAbandonedUploads } from './abandoned';
import { PART_BYTES } from './contract';
import { openUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let front: Awaited<ReturnType<typeof startFront>>;

beforeAll(async () => {
  services = await startLocalServices();
  front = await startFront(process.env.S3_ENDPOINT ?? '');
  process.env.S3_ENDPOINT = front.url;
});
afterEach(async () => {
  front.breaks = () => false;
  front.seen.length = 0;
  await db().delete(entries);
});
afterAll(async () => {
  await front.close();
  await services.end();
});

/** Stands in front of storage, and counts what it's asked. It breaks the connections of the paths it is told to. */
async function startFront(target: string) {
  const front = { seen: [] as string[], breaks: (_path: string): boolean => false };
  const server = createServer((request, response) => {
    front.seen.push(`${request.method} ${request.url}`);
    if (front.breaks(request.url ?? '')) return void request.socket.destroy();
    const { method, headers } = request;
    const onward = send(new URL(request.url ?? '', target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(front, { url: `http://127.0.0.1:${port}`, close });
}

const asked = (entryId: string) => front.seen.filter((line) => line.includes(entryId)).length;

/** An upload by form, of which nothing has arrived. */
const reserve = async (values: Partial<typeof entries.$inferInsert> = {}) =>
  (await makeEntry((await makeUser()).id, { videoStatus: 'uploading', videoKey: null, ...values })).id;

/** An upload in two parts, of which the first has arrived. */
async function sendHalf(): Promise<{ userId: string; entryId: string }> {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(PART_BYTES + 5));
  await sendPart(user.id, entryId, 1, Buffer.alloc(PART_BYTES, 1));
  return { userId: user.id, entryId };
}

async function arrive(entryId: string): Promise<void> {
  const [entry] = await db().select().from(entries).where(eq(entries.id, entryId));
  const key = entryKey(entry?.userId ?? '', entryId, 'source');
  await s3().send(new PutObjectCommand({ Bucket: bucket(), Key: key, Body: 'video' }));
}

/** Lets time pass, for all that is kept of uploads. */
async function pass(minutes: number): Promise<void> {
  const ago = sql`${minutes} * interval '1 minute'`;
  await db()
    .update(entries)
    .set({
      createdAt: sql`${entries.createdAt} - ${ago}`,
      uploadCheckedAt: sql`${entries.uploadCheckedAt} - ${ago}`,
    });
  await db()
    .update(uploads)
    .set({ activeAt: sql`${uploads.activeAt} - ${ago}` });
}

it('asks storage about a silent upload a few times a day, less and less often', async () => {
  const form = await reserve();
  const parts = (await sendHalf()).entryId;
  front.seen.length = 0;
  const checks: number[] = [];
  for (let minute = 1; minute < 24 * 60; minute += 1) {
    await pass(1);
    const before = asked(form);
    await reconcileAbandonedUploads();
    if (asked(form) > before) checks.push(minute);
  }
  expect(asked(form), 'a HEAD for each check, and a GET that confirms it').toBe(2 * checks.length);
  expect(asked(parts), 'the list of parts as well').toBeLessThanOrEqual(3 * checks.length);
  expect(checks.length).toBeLessThanOrEqual(17);
  // The real clock goes on as well, so a check may be off by a little.
  for (const [index, minute] of [10, 20, 40, 80, 160, 280].entries()) {
    expect(checks[index]).toBeLessThanOrEqual(minute * 1.1 + 1);
  }
  const gaps = checks.map((minute, index) => minute - (checks[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(125);
  expect(checks.at(-1), 'one last time before it is given up').toBeGreaterThanOrEqual(24 * 60 - 60);
});

it('looks again 10 minutes after the browser has been back', async () => {
  const { userId, entryId } = await sendHalf();
  for (const minutes of [160, 40]) {
    await pass(minutes);
    await reconcileAbandonedUploads();
  }
  const before = asked(entryId);
  await pass(30);
  await reconcileAbandonedUploads();
  expect(asked(entryId), 'not due for two hours').toBe(before);
  await sendPart(userId, entryId, 2, Buffer.alloc(5, 2));
  await pass(5);
  await reconcileAbandonedUploads();
  expect(await statusOf(entryId)).toBe('uploading');
  await pass(6);
  await reconcileAbandonedUploads();
  expect(await statusOf(entryId)).toBe('uploaded');
});

it('gives up after 24 hours, whenever it has looked last, and not a moment before', async () => {
  const early = await reserve({ createdAt: sql`now() - interval '23 hours 58 minutes'` as never });
  const late = await reserve({
    createdAt: sql`now() - interval '24 hours 1 second'` as never,
    uploadCheckedAt: new Date(),
  });
  // Storage has no say in it.
  front.breaks = () => true;
  await expect(reconcileAbandonedUploads()).rejects.toThrow();
  expect([await statusOf(early), await statusOf(late)]).toEqual(['uploading', 'gone']);
});

it('completes what arrived while the site was down, however long that was', async () => {
  const [form, lost] = [await reserve(), await reserve()];
  const { id: userId } = await makeUser();
  const parts = await sentUpload(userId);
  await arrive(form);
  await pass(30 * 60);
  front.breaks = () => true;
  await expect(reconcileAbandonedUploads()).rejects.toThrow();
  expect(await Promise.all([form, lost, parts].map(statusOf))).toEqual(Array(3).fill('uploading'));
  front.breaks = () => false;
  await reconcileAbandonedUploads();
  expect(await Promise.all([form, lost, parts].map(statusOf))).toEqual(['uploaded', 'gone', 'uploaded']);
});

it('completes what has arrived behind any number that have not', async () => {
  const user = await makeUser();
  const hopeless = Array.from({ length: 600 }, () => randomUUID());
  await db()
    .insert(entries)
    .values(
      hopeless.map((id) => ({
        id,
        userId: user.id,
        title: 'A day',
        date: '2026-01-15',
        fileName: 'day.mp4',
        contentType: 'video/mp4',
        bytes: 1000,
      })),
    );
  await pass(60);
  const arrived = await reserve();
  await arrive(arrived);
  await pass(15);
  for (let run = 0; run < 2; run += 1) await reconcileAbandonedUploads();
  expect(await statusOf(arrived)).toBe('uploaded');
});

it('stops at once while storage is down, and completes what has arrived when it is back', async () => {
  const ids = [await reserve(), await reserve(), await reserve()];
  for (const id of ids) await arrive(id);
  await pass(11);
  front.seen.length = 0;
  front.breaks = () => true;
  for (let run = 0; run < 5; run += 1) await expect(reconcileAbandonedUploads()).rejects.toThrow();
  expect(
    ids.filter((id) => asked(id) > 0),
    'it asks about one of them',
  ).toHaveLength(1);
  front.breaks = () => false;
  await reconcileAbandonedUploads();
  expect(await Promise.all(ids.map(statusOf))).toEqual(['uploaded', 'uploaded', 'uploaded']);
});

it('completes the others when storage fails for one of them, and says that it failed', async () => {
  const [broken, whole] = [await reserve(), await reserve()];
  for (const id of [broken, whole]) await arrive(id);
  await pass(11);
  front.breaks = (path) => path.includes(broken);
  await expect(reconcileAbandonedUploads()).rejects.toThrow();
  expect([await statusOf(broken), await statusOf(whole)]).toEqual(['uploading', 'uploaded']);
  front.breaks = () => false;
  await reconcileAbandonedUploads();
  expect(await statusOf(broken), 'that was a check, so the next one is due later').toBe('uploading');
  await pass(15);
  await reconcileAbandonedUploads();
  expect(await statusOf(broken)).toBe('uploaded');
  expect(await eventsOf(`video-${broken}-%`)).toHaveLength(1);
});

describe('abandoned uploads in parts', () => {
  const quietFor = (entryId: string, hours: number) =>
    db()
      .update(uploads)
      .set({ activeAt: sql`now() - ${hours} * interval '1 hour'` })
      .where(eq(uploads.entryId, entryId));

  it('give their room back a day after the last part, and are completed before that when all is there', async () => {
    const user = await makeUser();
    const [lost, young, partial, nameless, whole] = [
      (await openUpload(user.id, request(5))).entryId,
      (await openUpload(user.id, request(5))).entryId,
      (await openUpload(user.id, request(5))).entryId,
      await sentUpload(user.id, request()),
      await sentUpload(user.id),
    ];
    await db()
      .update(entries)
      .set({ createdAt: sql`now() - interval '3 days'` })
      .where(eq(entries.userId, user.id));
    await quietFor(lost, 25);
    for (const id of [partial, nameless, whole]) await quietFor(id, 1);
    await reconcileAbandonedUploads();
    const found = await Promise.all([lost, young, partial, nameless, whole].map(statusOf));
    expect(found).toEqual(['gone', 'uploading', 'uploading', 'uploading', 'uploaded']);
    expect(await eventsOf(`purged-${lost}`)).toHaveLength(1);
    expect(await eventsOf(`video-${whole}-%`)).toHaveLength(1);
  });
});
