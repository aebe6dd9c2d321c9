import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploadParts, uploads } from '@/db/schema/uploads';
import { lockPlan } from '@/lib/billing/plans/service';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { makeUser } from '@/test/factories';
import { eventsOf, file, md5, parts, request, sentUpload, uploadRow } from '@/test/multipart-fixtures';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { reservationRequest, sendForm } from '@/test/upload-fixtures';
import { abortUpload, reconcileAbandonedUploads } from './abandoned';
import { completeUpload, markUploaded } from './complete';
import { signParts } from './multipart';
import { forgetMultipart, markEtagsAsMd5, rememberParts } from './parts';
import { openUpload, reserveUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

let userId: string;
beforeEach(async () => {
  userId = (await makeUser()).id;
});

const entryRow = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];
const partRows = (id: string) => db().select().from(uploadParts).where(eq(uploadParts.entryId, id));
/** Returns all that's known of an upload. */
const rowsOf = async (id: string) => [await entryRow(id), await uploadRow(id), await partRows(id)];

/** Completes an upload, as another call does in a transaction that stays open. */
const complete = (entryId: string) => async (tx: Transaction) => {
  await tx.update(entries).set({ videoStatus: 'uploaded', bytes: 10 }).where(eq(entries.id, entryId));
  await startJobs(tx, 'video', [{ entryId, userId }]);
};

/** Begins a multipart upload, as another call does. */
const begin = (entryId: string) => async (tx: Transaction) => {
  await tx.update(uploads).set({ multipartId: 'other' }).where(eq(uploads.entryId, entryId));
  await tx.insert(uploadParts).values({ entryId, number: 1, size: 5, md5: 'other' });
};

const fulfilled = (value?: unknown) => ({
  waited: true,
  outcome: { status: 'fulfilled', ...(value !== undefined && { value }) },
});
const refused = (code: string) => ({
  waited: true,
  outcome: { status: 'rejected', reason: expect.objectContaining({ code }) },
});

describe('opening an upload', () => {
  const wanted = { ...reservationRequest(100), client_id: uuidv7() };
  it.each<[how: string, open: () => Promise<string>]>([
    ['in parts', async () => (await openUpload(userId, wanted)).entryId],
    ['in one piece', async () => (await reserveUpload(userId, wanted)).metadata.entryId],
  ])('%s returns the entry that another tab is creating for it', async (_how, open) => {
    const entryId = uuidv7();
    const opened = await duringTransaction(async (tx) => {
      await lockPlan(tx, userId);
      await tx.insert(entries).values({
        ...{ id: entryId, userId, title: 'A day', date: '2026-01-15', bytes: 100 },
        ...{ fileName: 'day.mp4', contentType: 'video/mp4' },
      });
      await tx.insert(uploads).values({ entryId, userId, clientId: wanted.client_id, size: 100 });
    }, open);
    expect(opened).toEqual(fulfilled(entryId));
    expect(await db().$count(entries, eq(entries.userId, userId))).toBe(1);
  });

  it('changes nothing of a video that’s being completed', async () => {
    const { entryId } = await openUpload(userId, wanted);
    const before = await entryRow(entryId);
    const opened = await duringTransaction(complete(entryId), () =>
      openUpload(userId, { ...wanted, title: 'Later' }),
    );
    expect(opened).toMatchObject(fulfilled({ entryId }));
    expect(await entryRow(entryId)).toEqual({ ...before, videoStatus: 'uploaded', bytes: 10 });
  });
});

it('an address for a video that’s being completed takes nothing', async () => {
  const wanted = { ...reservationRequest(5), client_id: uuidv7() };
  const { entryId } = (await reserveUpload(userId, wanted)).metadata;
  const before = await entryRow(entryId);
  const sent = await duringTransaction(complete(entryId), async () => {
    const { status } = await sendForm(await reserveUpload(userId, wanted), '12345');
    return status;
  });
  expect(sent).toEqual(fulfilled(403));
  expect(await entryRow(entryId)).toEqual({ ...before, videoStatus: 'uploaded', bytes: 10 });
});

it('a part that’s signed while a recording is completed takes no space', async () => {
  const { entryId } = await openUpload(userId, request());
  const wanted = { parts: [{ number: 1, size: 1000, md5: md5(Buffer.alloc(1000)) }] };
  const signed = await duringTransaction(complete(entryId), () => signParts(userId, entryId, wanted));
  expect(signed).toEqual(refused('conflict'));
  expect(await entryRow(entryId)).toMatchObject({ videoStatus: 'uploaded', bytes: 10 });
});

it('a part that’s signed beside a later one keeps the space of that one', async () => {
  const { entryId } = await openUpload(userId, request());
  const wanted = { parts: [{ number: 1, size: 1000, md5: md5(Buffer.alloc(1000)) }] };
  const signed = await duringTransaction(
    async (tx) => {
      await lockPlan(tx, userId);
      await tx.update(entries).set({ bytes: 2000 }).where(eq(entries.id, entryId));
    },
    () => signParts(userId, entryId, wanted),
  );
  expect(signed).toMatchObject(fulfilled());
  expect(await entryRow(entryId)).toMatchObject({ bytes: 2000 });
});

describe('a multipart upload that another call is beginning', () => {
  it('isn’t replaced', async () => {
    const { entryId } = await openUpload(userId, request(file.length));
    const mine = { multipartId: 'mine', begun: true, parts: [{ number: 1, size: 7, md5: 'mine' }] };
    const remembered = await duringTransaction(begin(entryId), () => rememberParts(userId, entryId, mine));
    expect(remembered).toEqual(fulfilled('replaced'));
    expect(await uploadRow(entryId)).toMatchObject({ multipartId: 'other' });
    expect(await partRows(entryId)).toEqual([{ entryId, number: 1, size: 5, md5: 'other' }]);
  });

  it('keeps its parts when the video is sent in one piece, too', async () => {
    const wanted = { ...reservationRequest(5), client_id: uuidv7() };
    const { entryId } = (await reserveUpload(userId, wanted)).metadata;
    const whole = { ...wanted, md5: md5(Buffer.from('whole')) };
    const { waited } = await duringTransaction(begin(entryId), () => reserveUpload(userId, whole));
    expect(waited).toBe(true);
    expect(await partRows(entryId)).toEqual([{ entryId, number: 1, size: 5, md5: 'other' }]);
  });
});

it('what comes late about a multipart upload that was replaced changes nothing', async () => {
  const { entryId } = await openUpload(userId, request(file.length));
  await db().transaction(begin(entryId));
  const before = await rowsOf(entryId);
  await forgetMultipart(userId, entryId, 'earlier');
  await markEtagsAsMd5(userId, entryId, 'earlier');
  const late = { multipartId: 'earlier', parts: [{ number: 1, size: 7, md5: 'late' }] };
  for (const begun of [true, false]) {
    expect(await rememberParts(userId, entryId, { ...late, begun })).toBe('replaced');
  }
  expect(await rowsOf(entryId)).toEqual(before);
});

it('a multipart upload that’s forgotten leaves nothing to the next one', async () => {
  const { entryId } = await openUpload(userId, request(file.length));
  await db().transaction(begin(entryId));
  await markEtagsAsMd5(userId, entryId, 'other');
  expect(await uploadRow(entryId)).toMatchObject({ multipartId: 'other', etagsAreMd5: true });
  await forgetMultipart(userId, entryId, 'other');
  expect(await uploadRow(entryId)).toMatchObject({ multipartId: null, etagsAreMd5: false });
  expect(await partRows(entryId)).toEqual([]);
});

describe('a video that’s being completed', () => {
  it('starts its jobs once', async () => {
    const entryId = await sentUpload(userId);
    await completeUpload(userId, entryId);
    await db().update(entries).set({ videoStatus: 'uploading' }).where(eq(entries.id, entryId));
    const completed = await duringTransaction(complete(entryId), () => markUploaded(userId, entryId));
    expect(completed).toEqual(fulfilled({ id: entryId, status: 'processing' }));
    expect(await eventsOf(`video-${entryId}-%`)).toHaveLength(2);
    expect(await entryRow(entryId)).toMatchObject({ videoStatus: 'uploaded', bytes: 10 });
  });

  it('goes to the trash, and isn’t lost, when the upload is canceled', async () => {
    const { entryId } = await openUpload(userId, request(parts[1].length));
    const canceled = await duringTransaction(complete(entryId), () => abortUpload(userId, entryId));
    expect(canceled).toEqual(fulfilled());
    expect(await entryRow(entryId)).toMatchObject({ videoStatus: 'uploaded', trashedAt: expect.any(Date) });
  });
});

it('an upload whose browser comes back while others are abandoned goes on', async () => {
  await db().delete(entries);
  const silent = [request(5), request(5)];
  for (const wanted of silent) await openUpload(userId, wanted);
  const longAgo = sql`now() - interval '25 hours'`;
  await db().update(uploads).set({ activeAt: longAgo });
  await db().update(entries).set({ uploadCheckedAt: sql`now()` });
  const abandoned = await duringTransaction(
    (tx) => tx.select().from(entries).for('update'),
    reconcileAbandonedUploads,
    // One of them is being abandoned by now. Nobody has looked at the other one again.
    { finish: (tx) => tx.update(uploads).set({ activeAt: sql`now()` }) },
  );
  expect(abandoned).toEqual(fulfilled());
  expect(await db().$count(entries)).toBe(1);
});
