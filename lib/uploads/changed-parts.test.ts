import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { file, finish, md5, parts, put, request, sendPart, sums, uploadRow } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { PART_BYTES } from './contract';
import { signParts, uploadState } from './multipart';
import { receivedParts } from './parts';
import { openUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices({ etags: 'md5' });
});
afterAll(() => services.end());

const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = parts;

it('keeps the other parts when one is signed for other bytes, if ETags tell which have arrived', async () => {
  const user = await makeUser();
  const { entryId } = await openUpload(user.id, request(file.length));
  await sendPart(user.id, entryId, 1, randomBytes(PART_BYTES));
  await sendPart(user.id, entryId, 2, second);
  const before = (await uploadRow(entryId))?.multipartId;
  const wanted = { number: 1, size: PART_BYTES, md5: md5(first) };
  const signed = await signParts(user.id, entryId, { parts: [wanted] });
  expect((await uploadRow(entryId))?.multipartId).toBe(before);
  expect((await uploadState(user.id, entryId)).parts.map(({ number }) => number)).toEqual([2]);
  expect(await codeOf(finish(user.id, entryId))).toBe('upload_missing');
  expect((await put(signed.parts[0]?.url ?? '', first)).status).toBe(200);
  expect((await uploadState(user.id, entryId)).parts.map((part) => part.md5)).toEqual(sums);
  expect(await codeOf(finish(user.id, entryId))).toBe('ok');
});

it('finds the right bytes of a part that storage lists twice, in whichever order', () => {
  const etagOf = (body: Buffer) => `"${Buffer.from(md5(body), 'base64').toString('hex')}"`;
  const [older, newer] = [randomBytes(second.length), second].map((body) => ({
    number: 2,
    size: body.length,
    etag: etagOf(body),
  }));
  if (!older || !newer) throw new Error('no parts');
  const signed = [{ number: 2, size: second.length, md5: md5(second) }];
  for (const stored of [
    [older, newer],
    [newer, older],
  ]) {
    expect(receivedParts(stored, { signed, upload: null })).toEqual([{ ...newer, md5: md5(second) }]);
  }
});
