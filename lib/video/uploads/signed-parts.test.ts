import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { uploadParts, uploads } from '@/db/schema/uploads';
import { listUploads } from '@/lib/clients/storage-listing';
import { removeEntry } from '@/lib/journal/entries/trash';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import {
  file,
  finish,
  parts,
  request,
  sendPart,
  sentUpload,
  signPart,
  statusOf,
  sums,
} from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { allOf } from '@/test/whole-state';
import { reconcileAbandonedUploads } from './abandoned';
import * as contract from './contract';
import { PART_BYTES } from './contract';
import { uploadState } from './multipart';
import { openUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  // As in buckets encrypted with KMS keys.
  services = await startLocalServices({ etags: 'opaque' });
});
afterAll(() => services.end());

const [first, second] = parts;
const sent = parts.map((part, index) => ({ number: index + 1, size: part.length, md5: sums[index] }));

it('finishes and resumes an upload of several parts by the MD5s they were signed for', async () => {
  const user = await makeUser();
  const entryId = await sentUpload(user.id);
  expect(await uploadState(user.id, entryId)).toEqual({ complete: false, size: file.length, parts: sent });
  expect(await codeOf(finish(user.id, entryId, { parts: [...sums].reverse() }))).toBe('upload_missing');
  expect(await finish(user.id, entryId)).toEqual({ id: entryId, status: 'processing' });
  expect(await statusOf(entryId)).toBe('uploaded');
  expect(await uploadState(user.id, entryId)).toEqual({ complete: true, size: file.length, parts: sent });
});

it('doesn’t count a part that was signed but not sent', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  await signPart(user.id, entryId, 1, first);
  await sendPart(user.id, entryId, 2, second);
  expect((await uploadState(user.id, entryId)).parts).toEqual([sent[1]]);
  expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
});

it('starts over when a part is signed for other bytes, since nothing tells which have arrived', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  const other = randomBytes(PART_BYTES);
  await sendPart(user.id, entryId, 1, other);
  await sendPart(user.id, entryId, 2, second);
  const send = await signPart(user.id, entryId, 1, first);
  expect((await uploadState(user.id, entryId)).parts).toEqual([]);
  expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
  expect((await send()).status).toBe(200);
  await sendPart(user.id, entryId, 2, second);
  expect(await codeOf(finish(user.id, entryId))).toBe('ok');
});

it('takes the last of parallel signatures of one part, and finishes', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  const bodies = Array.from({ length: 4 }, () => randomBytes(PART_BYTES));
  await Promise.all(bodies.map((body) => codeOf(sendPart(user.id, entryId, 1, body))));
  expect((await allOf(listUploads(`entries/${user.id}/${entryId}/`))).length).toBeLessThanOrEqual(1);
  expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
  for (const [index, body] of parts.entries()) await sendPart(user.id, entryId, index + 1, body);
  expect(await codeOf(finish(user.id, entryId))).toBe('ok');
});

it('receives the parts again that were sent before their MD5s were remembered', async () => {
  const user = await makeUser();
  const entryId = await sentUpload(user.id);
  await db().delete(uploadParts).where(eq(uploadParts.entryId, entryId));
  expect((await uploadState(user.id, entryId)).parts).toEqual([]);
  await sendPart(user.id, entryId, 2, second);
  expect((await uploadState(user.id, entryId)).parts).toEqual([sent[1]]);
  await sendPart(user.id, entryId, 1, first);
  expect(await codeOf(finish(user.id, entryId))).toBe('ok');
});

it('remembers no parts of a finished upload from before', async () => {
  const user = await makeUser();
  const entryId = await sentUpload(user.id);
  await finish(user.id, entryId);
  await db().delete(uploadParts).where(eq(uploadParts.entryId, entryId));
  expect(await uploadState(user.id, entryId)).toEqual({ complete: true, size: file.length, parts: [] });
});

it('completes what has arrived when the browser doesn’t come back', async () => {
  const user = await makeUser();
  const entryId = await sentUpload(user.id);
  const past = new Date(Date.now() - 3_600_000);
  await db().update(uploads).set({ activeAt: past }).where(eq(uploads.entryId, entryId));
  await reconcileAbandonedUploads();
  expect(await statusOf(entryId)).toBe('uploaded');
});

it('signs nothing for an upload that is removed meanwhile, and leaves no multipart upload', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  await removeEntry(user.id, entryId);
  expect(await codeOf(sendPart(user.id, entryId, 1, first))).toBe('not_found');
  const [row] = await db().select().from(uploads).where(eq(uploads.entryId, entryId));
  expect(row?.multipartId).toBeNull();
});

it('signs no part of a video that’s sent in one piece, and assembles none', async () => {
  const user = await makeUser();
  const { id } = await makeEntry(user.id, { videoStatus: 'uploading', videoKey: null });
  expect(await codeOf(sendPart(user.id, id, 1, first))).toBe('not_found');
  expect(await codeOf(finish(user.id, id))).toBe('not_found');
});

it('signs a part once per request', () => {
  const part = { number: 2, size: second.length, md5: sums[1] };
  expect(contract.signParts.body.safeParse({ parts: [part] }).success).toBe(true);
  expect(contract.signParts.body.safeParse({ parts: [part, part] }).success).toBe(false);
});
