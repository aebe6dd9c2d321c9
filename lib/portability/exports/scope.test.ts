import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { saveChecksum } from '@/lib/journal/entries/checksums';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { exportableYears } from './scope';

let takeDown: () => Promise<void>;

beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

it('counts the videos of each year, with the copies that an archive has', async () => {
  const { id: userId } = await makeUser();
  const makeVideo = async (date: string, playable: boolean | null) => {
    const { id } = await makeEntry(userId, { date, bytes: 100 });
    const sums = { sha256: 'a', crc32: 1 };
    await saveChecksum(db(), id, 'source', { ...sums, bytes: 100, playable });
    await saveChecksum(db(), id, 'video.mp4', { ...sums, bytes: 30, playable: true });
  };
  await makeVideo('2024-12-31', true);
  await makeVideo('2025-01-01', false);
  await makeVideo('2025-02-01', null);
  // Its checksums aren't computed yet.
  await makeEntry(userId, { date: '2025-03-01', bytes: 100 });
  expect(await exportableYears(userId)).toEqual([
    { year: 2025, entries: 3, bytes: 360 },
    { year: 2024, entries: 1, bytes: 100 },
  ]);
});
