import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { planDetails } from '@/lib/billing/plans/service';
import { md5OfObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { openUpload } from '@/lib/video/uploads/service';
import { makeUser } from './factories';
import { md5, parts, request, sendPart, statusOf, sums, file as twoParts } from './multipart-fixtures';
import { startLocalServices } from './services';
import { openUploadingBrowser } from './upload-browser';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;
let tab: ReturnType<typeof openUploadingBrowser>;

beforeAll(async () => {
  services = await startLocalServices();
});
beforeEach(async () => {
  userId = (await makeUser()).id;
  tab = openUploadingBrowser(userId);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => services.end());

const BYTES = Buffer.from('a short video');
const short = () => new File([BYTES], 'day.mp4', { type: 'video/mp4' });
const long = () => new File([twoParts], 'day.mp4', { type: 'video/mp4' });
const IN_PARTS = ['GET upload', 'POST upload/parts', 'PUT part 1', 'POST upload/parts', 'PUT part 2'];

async function expectStored(entryId: string, bytes: Buffer) {
  expect(await statusOf(entryId)).toBe('uploaded');
  const digest = (await md5OfObject(entryKey(userId, entryId, 'source'))) ?? '';
  expect(Buffer.from(digest, 'hex').toString('base64')).toBe(md5(bytes));
  expect(await planDetails(userId)).toMatchObject({ videoCount: 1, storageUse: bytes.length });
}

it('sends a file of one part to the address that was presigned', async () => {
  const { entryId, md5s, completionError } = await tab.upload(short());
  expect(tab.calls).toEqual(['GET presigned_url', 'POST file', 'GET upload/complete']);
  expect([md5s, completionError]).toEqual([[md5(BYTES)], null]);
  await expectStored(entryId, BYTES);
});

it('sends a larger one in parts on the entry that was reserved', async () => {
  const { entryId, md5s } = await tab.upload(long());
  expect(tab.calls).toEqual(['GET presigned_url', ...IN_PARTS, 'GET upload/complete']);
  expect(md5s).toEqual(sums);
  await expectStored(entryId, twoParts);
});

it('titles a recording whose last part is on its way, and sends no part twice', async () => {
  const recording = request();
  const { entryId } = await openUpload(userId, recording);
  await sendPart(userId, entryId, 1, parts[0]);
  const sent = sendPart(userId, entryId, 2, parts[1]).then(() => [...sums] as string[]);
  expect((await tab.upload(long(), { id: recording.client_id, sent })).entryId).toBe(entryId);
  expect(tab.calls).toEqual(['GET presigned_url', 'GET upload', 'GET upload/complete']);
  const [row] = await db().select().from(entries).where(eq(entries.id, entryId));
  expect(row).toMatchObject({ title: 'A day', date: '2026-01-15' });
  await expectStored(entryId, twoParts);
});

it('sends a file once if only the answer was lost', async () => {
  let isLost = false;
  tab.onStorage = async (send, url, sending) => {
    const answer = await send(url, sending);
    if (isLost) return answer;
    isLost = true;
    throw new TypeError('Failed to fetch');
  };
  const { entryId } = await tab.upload(short());
  expect(tab.calls).toEqual(['GET presigned_url', 'POST file', 'GET upload', 'GET upload/complete']);
  await expectStored(entryId, BYTES);
});

it.each([
  ['has expired', 403],
  ['can’t be used while storage is down', 503],
])('asks for another address if the first one %s', async (_, status) => {
  let times = 0;
  tab.onStorage = async (send, url, sending) => {
    times += 1;
    return times === 1 ? new Response('', { status }) : send(url, sending);
  };
  const { entryId } = await tab.upload(short());
  const again = ['GET upload', 'GET presigned_url', 'POST file'];
  expect(tab.calls).toEqual(['GET presigned_url', 'POST file', ...again, 'GET upload/complete']);
  await expectStored(entryId, BYTES);
});

it('gives up on storage that refuses a file, and on a server that has no address', async () => {
  tab.onStorage = async () => new Response('', { status: 403 });
  await expect(tab.upload(short())).rejects.toMatchObject({ problem: UPLOAD_PROBLEMS.storageRefused });
  expect(tab.calls.filter((call) => call === 'POST file')).toHaveLength(4);
  tab.calls.splice(0);
  await db().update(entries).set({ bytes: 5_000_000_000 }).where(eq(entries.userId, userId));
  await expect(tab.upload(short())).rejects.toMatchObject({ code: 'quota_reached' });
  expect(tab.calls).toEqual(['GET presigned_url']);
});

it('resumes an upload of an earlier page, also one that was completed', async () => {
  const id = '0190a5b0-0000-7000-8000-000000000002';
  const { entryId } = await tab.upload(short(), { id });
  tab.calls.splice(0);
  const again = await tab.upload(short(), { id, failFast: false });
  expect([again.entryId, again.completionError]).toEqual([entryId, null]);
  expect(tab.calls).toEqual(['GET presigned_url', 'GET upload', 'GET upload/complete']);
  await expectStored(entryId, BYTES);
});

it('sends a short file in parts where the CORS rule doesn’t allow forms', async () => {
  tab.onStorage = async (send, url, sending) => {
    if (sending.method === 'POST') throw new TypeError('Failed to fetch');
    return send(url, sending);
  };
  const { entryId } = await tab.upload(short());
  expect(tab.problems).toContainEqual(UPLOAD_PROBLEMS.storageRefusesSite);
  expect(tab.calls.slice(-4)).toEqual([...IN_PARTS.slice(0, 3), 'GET upload/complete']);
  await expectStored(entryId, BYTES);
});

it('sends a file again if storage turns out to have other bytes', async () => {
  let times = 0;
  tab.onStorage = async (send, url, sending) => {
    times += 1;
    // It says that it has stored the file.
    return times === 1 ? new Response('', { status: 204 }) : send(url, sending);
  };
  const { entryId } = await tab.upload(short());
  expect(tab.calls.filter((call) => call === 'POST file')).toHaveLength(2);
  await expectStored(entryId, BYTES);
});
