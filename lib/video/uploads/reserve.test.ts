import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { uploads } from '@/db/schema/uploads';
import { planDetails } from '@/lib/billing/plans/service';
import { listParts } from '@/lib/clients/multipart';
import { entryKey } from '@/lib/journal/entries/keys';
import { removeEntry } from '@/lib/journal/entries/trash';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import {
  eventsOf,
  file,
  md5,
  parts,
  request as partsRequest,
  sendPart,
  statusOf,
  sums,
  uploadRow,
} from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { expire, reservationRequest, sendForm } from '@/test/upload-fixtures';
import { abortUpload, reconcileAbandonedUploads } from './abandoned';
import { completeUpload } from './complete';
import { uploadState } from './multipart';
import { openUpload, reserveUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const request = (size?: number, client_id: string = randomUUID()) => ({
  ...reservationRequest(size),
  client_id,
});
const rowOf = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];

describe('reserving with a client_id', () => {
  it('takes one slot, however often it’s repeated at once, and returns one entry', async () => {
    const user = await makeUser();
    for (let n = 0; n < 29; n += 1) await makeEntry(user.id);
    const same = request(100);
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserveUpload(user.id, same)));
    expect(new Set(answers.map(({ metadata }) => metadata.entryId)).size).toBe(1);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 30, storageUse: 29 * 1000 + 100 });
    for (const answer of answers) expect((await sendForm(answer, 'x'.repeat(100))).status).toBe(204);
    expect(await codeOf(reserveUpload(user.id, request(1)))).toBe('quota_reached');
  });

  it('sets title, date, and question, and rejects another size', async () => {
    const user = await makeUser();
    const same = request(100);
    const { metadata } = await reserveUpload(user.id, same);
    const question = 'What made you laugh?';
    const changed = { ...same, title: 'Another', question, journal_date: { day: 2, month: 3, year: 2025 } };
    expect((await reserveUpload(user.id, changed)).metadata).toEqual(metadata);
    expect(await rowOf(metadata.entryId)).toMatchObject({
      ...{ title: 'Another', date: '2025-03-02', question, bytes: 100 },
    });
    await reserveUpload(user.id, { ...changed, question: null });
    expect(await rowOf(metadata.entryId)).toMatchObject({ question: null });
    expect(await codeOf(reserveUpload(user.id, { ...same, size: 101 }))).toBe('conflict');
  });

  it('knows no client_id of somebody else, nor of an entry in the trash', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const same = request(100);
    const { metadata } = await reserveUpload(one.id, same);
    expect((await reserveUpload(other.id, same)).metadata).not.toEqual(metadata);
    await removeEntry(one.id, metadata.entryId);
    expect(await codeOf(reserveUpload(one.id, same))).toBe('not_found');
  });

  it('returns a new address after the first has expired, and moves the check after it', async () => {
    const user = await makeUser();
    const same = request(5);
    const { entryId } = (await reserveUpload(user.id, same)).metadata;
    await expire({ userId: user.id, entryId, send: async () => {} });
    const again = await reserveUpload(user.id, same);
    expect(again.metadata).toEqual({ entryId });
    expect((await rowOf(entryId))?.uploadExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 3_590_000);
    expect((await sendForm(again, '12345')).status).toBe(204);
  });

  it('shows that the browser is back, which keeps it for another day', async () => {
    const user = await makeUser();
    const same = request(5);
    const { entryId } = (await reserveUpload(user.id, same)).metadata;
    const isIts = eq(uploads.entryId, entryId);
    await db().update(uploads).set({ activeAt: sql`now() - interval '23 hours'` }).where(isIts);
    await reserveUpload(user.id, same);
    const [upload] = await db().select().from(uploads).where(isIts);
    expect(upload?.activeAt.getTime()).toBeGreaterThan(Date.now() - 3_600_000);
  });

  it('returns the entry of a video that has arrived, with an address that takes nothing', async () => {
    const user = await makeUser();
    const same = request(5);
    const first = await reserveUpload(user.id, same);
    const { entryId } = first.metadata;
    await sendForm(first, '12345');
    await completeUpload(user.id, entryId);
    const again = await reserveUpload(user.id, { ...same, title: 'Later' });
    expect(again.metadata).toEqual({ entryId });
    expect((await sendForm(again, '54321')).status).toBe(403);
    expect(await rowOf(entryId)).toMatchObject({ title: 'A day', videoStatus: 'uploaded' });
  });

  it('is freed by canceling, and then reserves again', async () => {
    const user = await makeUser();
    const same = request(100);
    const { metadata } = await reserveUpload(user.id, same);
    await abortUpload(user.id, metadata.entryId);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 0, storageUse: 0 });
    expect((await reserveUpload(user.id, same)).metadata).not.toEqual(metadata);
  });

  it('completes by itself if the browser goes away after sending it, with or without a size', async () => {
    const user = await makeUser();
    for (const size of [5, undefined]) {
      const reserved = await reserveUpload(user.id, request(size));
      const { entryId } = reserved.metadata;
      await sendForm(reserved, '12345');
      await db()
        .update(uploads)
        .set({ activeAt: sql`now() - interval '1 hour'` })
        .where(eq(uploads.entryId, entryId));
      await reconcileAbandonedUploads();
      expect(await statusOf(entryId)).toBe('uploaded');
    }
  });
});

describe('the MD5 of a video in one piece', () => {
  it('lets storage take only its bytes, and is what the upload is compared with', async () => {
    const user = await makeUser();
    const sum = md5(Buffer.from('right'));
    const reserved = await reserveUpload(user.id, { ...request(5), md5: sum });
    const { entryId } = reserved.metadata;
    expect((await sendForm(reserved, 'wrong')).status).toBe(400);
    expect(await uploadState(user.id, entryId)).toEqual({ complete: false, size: 5, parts: [] });
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('upload_missing');
    expect((await sendForm(reserved, 'right')).status).toBe(204);
    const whole = { complete: true, size: 5, parts: [{ number: 1, size: 5, md5: sum }] };
    expect(await uploadState(user.id, entryId)).toEqual(whole);
    const answers = Array.from({ length: 20 }, () => completeUpload(user.id, entryId));
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe('processing');
    expect(await eventsOf(`video-${entryId}-%`)).toHaveLength(1);
    expect(await uploadState(user.id, entryId)).toEqual(whole);
  });

  it('finds out if storage ignored it', async () => {
    const user = await makeUser();
    const same = request(5);
    const { entryId } = (await reserveUpload(user.id, { ...same, md5: md5(Buffer.from('right')) })).metadata;
    // An address without it takes any bytes, like a server that ignores it.
    await sendForm(await reserveUpload(user.id, same), 'wrong');
    expect(await uploadState(user.id, entryId)).toMatchObject({ complete: false, parts: [] });
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('upload_missing');
    await sendForm(await reserveUpload(user.id, same), 'right');
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('ok');
  });
});

describe('parts on a reserved entry', () => {
  it('are assembled by completing it', async () => {
    const user = await makeUser();
    const { entryId } = (await reserveUpload(user.id, request(file.length))).metadata;
    await sendPart(user.id, entryId, 1, parts[0]);
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('upload_missing');
    await sendPart(user.id, entryId, 2, parts[1]);
    const answers = Array.from({ length: 20 }, () => completeUpload(user.id, entryId));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toEqual({ id: entryId, status: 'processing' });
    }
    expect(await eventsOf(`video-${entryId}-%`)).toHaveLength(1);
    expect((await uploadState(user.id, entryId)).parts.map((part) => part.md5)).toEqual(sums);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 1, storageUse: file.length });
  });

  it.each([file.length, undefined])(
    'of a recording get its title and date, with the size %s',
    async (size) => {
      const user = await makeUser();
      const recording = partsRequest();
      const { entryId } = await openUpload(user.id, recording);
      await sendPart(user.id, entryId, 1, parts[0]);
      expect(await codeOf(completeUpload(user.id, entryId)), 'it’s still running').toBe('upload_missing');
      expect((await uploadRow(entryId))?.multipartId).not.toBeNull();
      const titled = await reserveUpload(user.id, request(size, recording.client_id));
      expect(titled.metadata).toEqual({ entryId });
      await sendPart(user.id, entryId, 2, parts[1]);
      expect(await codeOf(completeUpload(user.id, entryId))).toBe('ok');
      expect(await rowOf(entryId)).toMatchObject({ title: 'A day', date: '2026-01-15', bytes: file.length });
      expect((await planDetails(user.id)).videoCount).toBe(1);
    },
  );

  it('make way for the same video in one piece', async () => {
    const user = await makeUser();
    const same = partsRequest(file.length);
    const { entryId } = await openUpload(user.id, same);
    await sendPart(user.id, entryId, 1, parts[0]);
    const multipartId = (await uploadRow(entryId))?.multipartId ?? '';
    const whole = await reserveUpload(user.id, request(file.length, same.client_id));
    expect((await sendForm(whole, new Uint8Array(file))).status).toBe(204);
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('ok');
    expect(await listParts(entryKey(user.id, entryId, 'source'), multipartId)).toBeNull();
  });

  it('aren’t lost if something of another size is sent in one piece', async () => {
    const user = await makeUser();
    const reserved = await reserveUpload(user.id, request(file.length));
    const { entryId } = reserved.metadata;
    for (const [index, part] of parts.entries()) await sendPart(user.id, entryId, index + 1, part);
    await sendForm(reserved, new Uint8Array(randomBytes(10)));
    expect(await codeOf(completeUpload(user.id, entryId))).toBe('ok');
    expect((await rowOf(entryId))?.bytes).toBe(file.length);
  });
});

it('reserves what’s left for a recording of which nothing was sent and whose size isn’t known', async () => {
  const user = await makeUser();
  await makeEntry(user.id, { bytes: 4_999_999_990 });
  const recording = partsRequest();
  const { entryId } = await openUpload(user.id, recording);
  const reserved = await reserveUpload(user.id, request(undefined, recording.client_id));
  expect(reserved.metadata).toEqual({ entryId });
  expect((await planDetails(user.id)).storageUse).toBe(5_000_000_000);
  expect((await sendForm(reserved, '12345678901')).status).toBe(400);
  expect((await sendForm(reserved, '1234567890')).status).toBe(204);
  expect(await codeOf(completeUpload(user.id, entryId))).toBe('ok');
});
