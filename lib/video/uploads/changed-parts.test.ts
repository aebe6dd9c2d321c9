import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import {
  file,
  finish,
  parts,
  request,
  sendPart,
  sentUpload,
  signPart,
  sums,
  uploadRow,
} from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { PART_BYTES } from './contract';
import { uploadState } from './multipart';
import { openUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices({ etags: 'md5' });
});
afterAll(() => services.end());

const [first, second] = parts;

it('ends a recording where it’s said to end, whatever was sent beyond that', async () => {
  const user = await makeUser();
  const entryId = await sentUpload(user.id, request());
  await sendPart(user.id, entryId, 3, second);
  expect(await finish(user.id, entryId)).toEqual({ id: entryId, status: 'processing' });
  expect((await headObject(entryKey(user.id, entryId, 'source')))?.size).toBe(file.length);
});

it('keeps the other parts when one is signed for other bytes, if ETags tell which have arrived', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  await sendPart(user.id, entryId, 1, randomBytes(PART_BYTES));
  await sendPart(user.id, entryId, 2, second);
  const before = (await uploadRow(entryId))?.multipartId;
  const send = await signPart(user.id, entryId, 1, first);
  expect((await uploadRow(entryId))?.multipartId).toBe(before);
  expect((await uploadState(user.id, entryId)).parts.map(({ number }) => number)).toEqual([2]);
  expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
  expect((await send()).status).toBe(200);
  expect((await uploadState(user.id, entryId)).parts.map((part) => part.md5)).toEqual(sums);
  expect(await codeOf(finish(user.id, entryId))).toBe('ok');
});
