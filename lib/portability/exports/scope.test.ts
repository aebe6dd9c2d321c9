import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { saveChecksum } from '@/lib/journal/entries/checksums';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { entriesWithoutChecksums } from './archived-entries';
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

describe('entries without checksums', () => {
  const everything = { entryIds: null, fromYear: null, toYear: null };
  const sums = { sha256: 'a', crc32: 1, bytes: 1 };

  it('are those without their original’s, or without their copy’s if browsers may not play the original', async () => {
    const { id: userId } = await makeUser();
    const expected: { entryId: string; isReady: boolean; storedOnce: boolean }[] = [];
    for (const videoStatus of ['ready', 'processing'] as const) {
      for (const source of ['unknown', null, false, true] as const) {
        for (const hasCopy of [false, true]) {
          const { id } = await makeEntry(userId, { videoStatus });
          if (source !== 'unknown') await saveChecksum(db(), id, 'source', { ...sums, playable: source });
          if (hasCopy) await saveChecksum(db(), id, 'video.mp4', { ...sums, playable: true });
          const isReady = videoStatus === 'ready';
          if (source === 'unknown' || (isReady && source !== true && !hasCopy))
            expected.push({ entryId: id, isReady, storedOnce: false });
        }
      }
    }
    expect(expected).toHaveLength(6);
    expect(await entriesWithoutChecksums(userId, everything, null)).toEqual(expected);
    for (const [index, { entryId }] of expected.entries()) {
      expect(await entriesWithoutChecksums(userId, everything, entryId)).toEqual(expected.slice(index + 1));
    }
  });

  it('are those of the account that the archive includes', async () => {
    const [{ id: userId }, { id: other }] = [await makeUser(), await makeUser()];
    const ids: string[] = [];
    for (const year of [2023, 2024, 2025]) {
      ids.push((await makeEntry(userId, { date: `${year}-12-31` })).id);
      await makeEntry(other, { date: `${year}-12-31` });
      await makeEntry(userId, { date: `${year}-12-31`, trashedAt: new Date() });
    }
    const found = async (scope: object) => {
      const missing = await entriesWithoutChecksums(userId, { ...everything, ...scope }, null);
      return missing.map(({ entryId }) => ids.indexOf(entryId));
    };
    expect(await found({})).toEqual([0, 1, 2]);
    expect(await found({ fromYear: 2024 })).toEqual([1, 2]);
    expect(await found({ toYear: 2024 })).toEqual([0, 1]);
    expect(await found({ entryIds: [ids[2], ids[0]] })).toEqual([0, 2]);
  });
});
