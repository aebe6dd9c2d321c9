import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { removeEntry } from '@/lib/journal/entries/trash';
import { openClip, sendClip } from '@/test/clip-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { entryAt, importOne, startImport } from '@/test/import-fixtures';
import { smallArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';
import * as contract from './contract';
import { findVideos } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const find = (userId: string, ...sizes: number[]) =>
  findVideos(userId, contract.findVideos.body.parse({ videos: sizes.map((size) => ({ size })) }));

it('finds the entries whose videos have a size, with what’s known to compare', async () => {
  const [{ id: userId }, { id: stranger }] = [await makeUser(), await makeUser()];
  const importId = await startImport(userId);
  await makeEntry(stranger, { bytes: 3000 });
  await removeEntry(userId, (await makeEntry(userId, { bytes: 3000 })).id);
  await openClip(userId, importId, { clip_id: 'unfinished', size: 3000 });
  const recorded = await makeEntry(userId, { bytes: 3000, durationMs: 61_500, title: 'Mine' });
  const sha256 = 'a'.repeat(64);
  await db()
    .insert(entryFiles)
    .values({ entryId: recorded.id, name: 'source', bytes: 3000, sha256, crc32: 0 });
  const recordedAt = '2024-05-01T21:00:00.000Z';
  const clip = await sendClip(userId, importId, { size: 3000, recordedAt });
  const { journal, files } = smallArchive();
  const archived = await importOne(userId, journal, files);
  expect(await find(userId, 3000, 2000, 1)).toEqual({
    videos: [
      {
        size: 3000,
        entryId: recorded.id,
        title: 'Mine',
        date: '2026-01-15',
        sha256,
        duration: 61.5,
        recordedAt: null,
      },
      {
        size: 3000,
        entryId: clip,
        title: 'VID 20240501',
        date: '2024-05-01',
        sha256: null,
        duration: null,
        recordedAt,
      },
      {
        size: 2000,
        entryId: archived,
        title: entryAt(journal).entry.title,
        date: '2024-05-01',
        sha256: entryAt(journal).video.sha256,
        duration: null,
        recordedAt: null,
      },
    ],
  });
  expect(await find(userId)).toEqual({ videos: [] });
  expect(await db().$count(entries, eq(entries.userId, userId))).toBe(5);
});

it('takes up to 1,000 sizes, each once', () => {
  const accepts = (sizes: number[]) =>
    contract.findVideos.body.safeParse({ videos: sizes.map((size) => ({ size })) }).success;
  const sizes = Array.from({ length: 1000 }, (_, index) => index + 1);
  expect([accepts(sizes), accepts([...sizes, 5000]), accepts([1, 1]), accepts([0])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
