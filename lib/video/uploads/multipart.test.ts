import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { planDetails } from '@/lib/billing/plans/service';
import { abortMultipart, listParts } from '@/lib/clients/multipart';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { countEntries } from '@/lib/journal/entries/months';
import { selectSummaries } from '@/lib/journal/entries/service';
import { removeEntry } from '@/lib/journal/entries/trash';
import { purgeObjects } from '@/lib/video/processing/entry-files';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import {
  eventsOf,
  file,
  finish,
  md5,
  parts,
  put,
  request,
  sendPart,
  sentUpload,
  statusOf,
  sums,
  uploadRow,
} from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { abortUpload } from './abandoned';
import { markUploaded } from './complete';
import { PART_BYTES } from './contract';
import { signParts, uploadState } from './multipart';
import { openUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('opening an upload', () => {
  it('takes one slot for one client_id, however often it is asked for', async () => {
    const user = await makeUser();
    for (let n = 0; n < 29; n += 1) await makeEntry(user.id);
    const same = request(100);
    const answers = await Promise.all(Array.from({ length: 20 }, () => openUpload(user.id, same)));
    expect(new Set(answers.map(({ entryId }) => entryId)).size).toBe(1);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 30, storageUse: 29 * 1000 + 100 });
    expect(await codeOf(openUpload(user.id, request(1)))).toBe('quota_reached');
    expect(await codeOf(openUpload(user.id, { ...same, size: 101 }))).toBe('conflict');
  });

  it('knows no client_id of somebody else, nor one that was removed', async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const same = request(100);
    const mine = await openUpload(one.id, same);
    expect((await openUpload(other.id, same)).entryId).not.toBe(mine.entryId);
    await removeEntry(one.id, mine.entryId);
    expect(await codeOf(openUpload(one.id, same))).toBe('not_found');
  });

  it('refuses other types and more than 4 GB', async () => {
    const user = await makeUser();
    expect(await codeOf(openUpload(user.id, { ...request(1), content_type: 'image/png' }))).toBe(
      'unsupported_media_type',
    );
    expect(await codeOf(openUpload(user.id, request(4_000_000_001)))).toBe('too_large');
  });

  it('is in no list before it is complete', async () => {
    const user = await makeUser();
    const entryId = await sentUpload(user.id, request());
    expect([await countEntries(user.id), await selectSummaries(user.id, { limit: 9 })]).toEqual([0, []]);
    expect(await codeOf(markUploaded(user.id, entryId))).toBe('upload_missing');
    await finish(user.id, entryId);
    expect(await selectSummaries(user.id, { limit: 9 })).toMatchObject([
      { title: 'A day', date: '2026-01-15' },
    ]);
  });
});

describe('a recording that grows', () => {
  it('takes room part by part, once for each', async () => {
    const user = await makeUser();
    const same = request();
    const { entryId } = await openUpload(user.id, same);
    expect((await openUpload(user.id, same)).entryId).toBe(entryId);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 1, storageUse: 0 });
    const part = (number: number, size = PART_BYTES) => ({ number, size, md5: sums[0] });
    const ask = (...wanted: ReturnType<typeof part>[]) => signParts(user.id, entryId, { parts: wanted });
    await Promise.all(Array.from({ length: 50 }, (_, at) => ask(part((at % 5) + 1))));
    expect((await planDetails(user.id)).storageUse).toBe(5 * PART_BYTES);
    await ask(part(6, 10));
    expect((await planDetails(user.id)).storageUse).toBe(5 * PART_BYTES + 10);
    expect(await codeOf(ask(part(477)))).toBe('too_large');
  });

  it('stops at the plan’s last byte under 50 parallel requests, whoever asks', async () => {
    const user = await makeUser();
    await makeEntry(user.id, { bytes: 5_000_000_000 - 3 * PART_BYTES });
    const two = [await openUpload(user.id, request()), await openUpload(user.id, request())];
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        codeOf(
          signParts(user.id, two[at % 2]?.entryId ?? '', {
            parts: [{ number: Math.floor(at / 2) + 1, size: PART_BYTES, md5: sums[0] }],
          }),
        ),
      ),
    );
    expect(codes).toContain('quota_reached');
    expect((await planDetails(user.id)).storageUse).toBeLessThanOrEqual(5_000_000_000);
  });

  it('is the size that is said at last, when it is opened again', async () => {
    const user = await makeUser();
    const same = request();
    const { entryId } = await openUpload(user.id, same);
    await sendPart(user.id, entryId, 1, parts[0]);
    expect(await openUpload(user.id, { ...same, size: file.length })).toMatchObject({ entryId });
    expect((await planDetails(user.id)).storageUse).toBe(file.length);
    await sendPart(user.id, entryId, 2, parts[1]);
    expect(await finish(user.id, entryId)).toEqual({ id: entryId, status: 'processing' });
  });
});

describe('a part', () => {
  it('is refused by storage with other bytes, more bytes, or without its checksum', async () => {
    const user = await makeUser();
    const { entryId } = await openUpload(user.id, request(5));
    const body = Buffer.from('12345');
    const signed = await signParts(user.id, entryId, { parts: [{ number: 1, size: 5, md5: md5(body) }] });
    const url = signed.parts[0]?.url ?? '';
    expect((await put(url, Buffer.from('54321'), md5(body))).status).toBe(400);
    expect([400, 403]).toContain((await put(url, Buffer.from('54321'))).status);
    expect((await put(url, Buffer.from('123456'), md5(body))).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: '12345' })).status).toBe(403);
    expect((await uploadState(user.id, entryId)).parts).toEqual([]);
    expect((await put(url, body)).status).toBe(200);
    expect(await uploadState(user.id, entryId)).toEqual({
      complete: false,
      size: 5,
      parts: [{ number: 1, size: 5, md5: md5(body) }],
    });
  });

  it('has the length that the file’s parts have', async () => {
    const user = await makeUser();
    const { entryId } = await openUpload(user.id, request(file.length));
    for (const [number, size] of [
      [1, 1000],
      [2, 999],
      [3, 1],
    ] as const) {
      const wanted = { parts: [{ number, size, md5: sums[0] }] };
      expect(await codeOf(signParts(user.id, entryId, wanted))).toBe('validation_failed');
    }
    const parts = [PART_BYTES, 999].map((size, at) => ({ number: at + 1, size, md5: sums[0] }));
    expect(await codeOf(signParts(user.id, entryId, { parts }))).toBe('validation_failed');
  });

  it('can be sent again when storage has lost the upload', async () => {
    const user = await makeUser();
    const entryId = await sentUpload(user.id);
    const lost = (await uploadRow(entryId))?.multipartId ?? '';
    await abortMultipart(entryKey(user.id, entryId, 'source'), lost);
    expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
    expect(await uploadState(user.id, entryId)).toMatchObject({ complete: false, parts: [] });
    for (const [index, body] of parts.entries()) await sendPart(user.id, entryId, index + 1, body);
    expect(await codeOf(finish(user.id, entryId))).toBe('ok');
    expect((await planDetails(user.id)).videoCount).toBe(1);
  });
});

describe('finishing', () => {
  it('starts the jobs once under 20 parallel calls, and storage has the very file', async () => {
    const user = await makeUser();
    const entryId = await sentUpload(user.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(user.id, entryId)));
    for (const answer of answers) expect(answer).toEqual({ id: entryId, status: 'processing' });
    expect(await eventsOf(`video-${entryId}-%`)).toHaveLength(1);
    const { etag } = (await headObject(entryKey(user.id, entryId, 'source'))) ?? {};
    expect(await uploadState(user.id, entryId)).toEqual({
      complete: true,
      size: file.length,
      parts: parts.map((part, index) => ({ number: index + 1, size: part.length, md5: sums[index] })),
    });
    const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
    expect(row).toMatchObject({ sourceEtag: etag, uploadExpiresAt: null });
    expect((await planDetails(user.id)).storageUse).toBe(file.length);
  });

  it('is refused while a part is missing, or one is another than was declared', async () => {
    const user = await makeUser();
    const { entryId } = await openUpload(user.id, request(file.length));
    expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
    await sendPart(user.id, entryId, 2, parts[1]);
    expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
    await sendPart(user.id, entryId, 1, randomBytes(PART_BYTES));
    expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
    expect(await codeOf(finish(user.id, entryId, { size: file.length - 1 }))).toBe('upload_missing');
    expect(await codeOf(finish(user.id, entryId, { size: PART_BYTES, parts: [sums[0]] }))).toBe(
      'upload_missing',
    );
    // Both, since storage whose ETags aren't MD5s starts over.
    for (const [index, body] of parts.entries()) await sendPart(user.id, entryId, index + 1, body);
    expect(await codeOf(finish(user.id, entryId))).toBe('ok');
  });

  it('belongs to the owner alone, like all the rest', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const entryId = await sentUpload(owner.id);
    const tries = [
      finish(stranger.id, entryId),
      signParts(stranger.id, entryId, { parts: [] }),
      uploadState(stranger.id, entryId),
      abortUpload(stranger.id, entryId),
    ];
    expect(await Promise.all(tries.map(codeOf))).toEqual(tries.map(() => 'not_found'));
    expect(await statusOf(entryId)).toBe('uploading');
  });
});

describe('giving an upload up', () => {
  it('frees its room at once, and leaves nothing in storage', async () => {
    const user = await makeUser();
    const entryId = await sentUpload(user.id);
    const ref = { entryId, userId: user.id };
    const key = entryKey(user.id, entryId, 'source');
    const multipartId = (await uploadRow(entryId))?.multipartId ?? '';
    await abortUpload(user.id, entryId);
    expect(await planDetails(user.id)).toMatchObject({ videoCount: 0, storageUse: 0 });
    expect(await codeOf(abortUpload(user.id, entryId))).toBe('not_found');
    const [event] = await eventsOf(`purged-${entryId}`);
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({ name: 'entry/purged', data: ref });
    await purgeObjects(ref);
    expect([await listParts(key, multipartId), await headObject(key)]).toEqual([null, null]);
  });

  it('is too late once the video has arrived', async () => {
    const user = await makeUser();
    const entryId = await sentUpload(user.id);
    await finish(user.id, entryId);
    expect(await codeOf(abortUpload(user.id, entryId))).toBe('conflict');
    expect(await codeOf(signParts(user.id, entryId, { parts: [] }))).toBe('conflict');
  });
});
