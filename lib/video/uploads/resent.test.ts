import { mkdir, readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { headObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { fetchEntryFile, removeCachedCopies, workspaceRoot } from '@/lib/video/processing/entry-files';
import { makeUser } from '@/test/factories';
import { md5 } from '@/test/multipart-fixtures';
import { startLocalServices } from '@/test/services';
import { expire, reservationRequest, sendForm } from '@/test/upload-fixtures';
import { completeUpload } from './complete';
import { checkExpiredUploadUrls } from './expired-upload-urls';
import { reserveUpload } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  // As in buckets encrypted with KMS keys: the same bytes have another ETag each time.
  services = await startLocalServices({ etags: 'opaque' });
});
afterAll(() => services.end());

const BYTES = 'what was recorded';
const SAME = { client_id: '0190a5b0-0000-7000-8000-000000000001', md5: md5(Buffer.from(BYTES)) };

/** Makes a completed upload. @param known what the client said about its bytes */
async function completed(known: Partial<typeof SAME>) {
  const { id: userId } = await makeUser();
  const request = { ...reservationRequest(BYTES.length), ...known };
  const reserved = await reserveUpload(userId, request);
  const { entryId } = reserved.metadata;
  // Takes other bytes, too, as storage that ignores the MD5 of a form.
  const { md5: _, ...anyBytes } = request;
  const open = known.client_id ? await reserveUpload(userId, anyBytes) : reserved;
  await sendForm(reserved, BYTES);
  await completeUpload(userId, entryId);
  return {
    ref: { userId, entryId },
    send: (body: string) => sendForm(open, body),
    source: () => headObject(entryKey(userId, entryId, 'source')),
    row: async () => (await db().select().from(entries).where(eq(entries.id, entryId)))[0],
    async sweep() {
      await expire({ userId, entryId, send: async () => {} });
      await checkExpiredUploadUrls();
    },
  };
}

describe('a video that’s sent again after it was completed', () => {
  it('stays if it has the same bytes, and can be processed', async () => {
    const upload = await completed(SAME);
    const before = (await upload.row())?.sourceEtag;
    await upload.send(BYTES);
    await upload.sweep();
    const source = await upload.source();
    expect(source?.etag).not.toBe(before);
    expect(await upload.row()).toMatchObject({
      ...{ videoStatus: 'uploaded', videoError: null, uploadExpiresAt: null },
      sourceEtag: source?.etag,
    });
  });

  it('is deleted if it has other bytes', async () => {
    const upload = await completed(SAME);
    await upload.send(BYTES.replace('w', 'W'));
    await upload.sweep();
    expect(await upload.source()).toBeNull();
    expect(await upload.row()).toMatchObject({ videoStatus: 'failed' });
  });

  it('stays if nothing tells and there’s no other copy, so that it can be processed', async () => {
    const upload = await completed({});
    await upload.send(BYTES);
    await upload.sweep();
    const source = await upload.source();
    expect(source).not.toBeNull();
    expect(await upload.row()).toMatchObject({ videoStatus: 'uploaded', sourceEtag: source?.etag });
  });

  it('is deleted if nothing tells and there’s another copy, or if it has another size', async () => {
    const [copied, longer] = [await completed({}), await completed({})];
    await db()
      .update(entries)
      .set({ videoStatus: 'ready', videoKey: 'video.mp4' })
      .where(eq(entries.id, copied.ref.entryId));
    await copied.send(BYTES);
    await longer.send(BYTES.slice(1));
    await copied.sweep();
    await longer.sweep();
    expect([await copied.source(), await longer.source()]).toEqual([null, null]);
    expect([await copied.row(), await longer.row()]).toMatchObject([
      { videoStatus: 'ready' },
      { videoStatus: 'failed' },
    ]);
  });
});

describe('a job', () => {
  it('takes a file with the same bytes, and no other', async () => {
    const [folder, elsewhere] = [services.folder('same'), services.folder('other')];
    for (const path of [folder, elsewhere, workspaceRoot()]) await mkdir(path, { recursive: true });
    const [same, other] = [await completed(SAME), await completed(SAME)];
    await same.send(BYTES);
    const path = await fetchEntryFile(same.ref, 'source', folder);
    expect(await readFile(path, 'utf8')).toBe(BYTES);
    expect((await same.row())?.sourceEtag).toBe((await same.source())?.etag);
    await other.send(BYTES.replace('w', 'W'));
    await expect(fetchEntryFile(other.ref, 'source', elsewhere)).rejects.toMatchObject({ kind: 'replaced' });
    await removeCachedCopies(same.ref.entryId);
  });
});
