import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Clip } from '@/components/portability/imports/sources/read-clips';
import { sourceOfFile } from '@/components/portability/imports/sources/source-file';
import { db } from '@/db/client';
import { entryFiles } from '@/db/schema/exports';
import { makeEntry, makeUser } from '@/test/factories';
import { openBrowser } from '@/test/import-browser';
import { startLocalServices } from '@/test/services';
import { findDuplicates } from './find-duplicates';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
afterEach(() => void vi.unstubAllGlobals());

const EPOCH = Date.UTC(2019, 6, 4);

/** Returns a clip of some bytes that started on the hour after 2019-07-04. */
function clipOf(
  name: string,
  bytes: Buffer,
  { hour = 0, seconds = 1 as number | null, warning = null as string | null } = {},
): Clip {
  const file = sourceOfFile(new File([new Uint8Array(bytes)], name), `Clips/${name}`);
  const date = {
    date: '2019-07-04',
    source: 'name' as const,
    warning,
    others: [],
    startedAt: EPOCH + hour * 3_600_000,
  };
  return {
    id: name,
    file,
    type: 'video/mp4',
    title: name,
    isTitleTelling: true,
    isLivePhoto: false,
    date,
    seconds,
    notes: [],
    tags: [],
  };
}

/** Adds an entry with a video to a journal. */
async function addEntry(userId: string, title: string, bytes: Buffer): Promise<void> {
  const { id: entryId } = await makeEntry(userId, { title, bytes: bytes.length });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await db().insert(entryFiles).values({ entryId, name: 'source', bytes: bytes.length, sha256, crc32: 0 });
}

/** Finds the duplicates for an account, with its browser. */
async function find(userId: string, clips: readonly Clip[]) {
  openBrowser(userId);
  return findDuplicates(clips, () => {}, new AbortController().signal);
}

it('finds the 40 copies among 200 clips, and none that isn’t one', async () => {
  const { id } = await makeUser();
  const { id: stranger } = await makeUser();
  // Clips of few different sizes, so that many have to be told apart by their bytes.
  const videos = Array.from({ length: 160 }, (_, index) => randomBytes(90_000 + (index % 7)));
  for (const [index, video] of videos.slice(0, 20).entries()) await addEntry(id, `Entry ${index}`, video);
  for (const video of videos.slice(20, 40)) await addEntry(stranger, 'Another person’s', video);
  const clips = videos.map((video, hour) => clipOf(`video ${hour}`, video, { hour }));
  const copies = videos
    .slice(40, 60)
    .map((video, index) => clipOf(`copy ${index}`, video, { hour: 40 + index, warning: 'A guess.' }));
  // Alike at both ends, and of the same length, but other videos.
  const decoys = videos.slice(60, 80).map((video, index) => {
    const other = Buffer.from(video);
    other.fill(0, 80_000 / 2, 80_000 / 2 + 10);
    return clipOf(`decoy ${index}`, other, { hour: 1000 + index });
  });
  const found = await find(id, [...copies, ...clips, ...decoys]);
  const expected = [
    ...Array.from({ length: 20 }, (_, index) => [
      `video ${index}`,
      { of: 'journal', title: `Entry ${index}`, date: '2026-01-15', isSame: true },
    ]),
    ...Array.from({ length: 20 }, (_, index) => [
      `copy ${index}`,
      { of: 'chosen', title: `video ${40 + index}`, date: '2019-07-04', isSame: true },
    ]),
  ];
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

it('says that other bytes seem to be the same if size, length, and start are', async () => {
  const { id } = await makeUser();
  const [video, tagged] = [randomBytes(5000), randomBytes(5000)];
  const found = await find(id, [
    clipOf('first', video, { hour: 5, seconds: 12.04 }),
    clipOf('tagged', tagged, { hour: 5, seconds: 12.04 }),
    clipOf('longer', randomBytes(5000), { hour: 5, seconds: 13 }),
    clipOf('later', randomBytes(5000), { hour: 6, seconds: 12.04 }),
    clipOf('unknown', randomBytes(5000), { hour: 5, seconds: null }),
    clipOf('larger', randomBytes(5001), { hour: 5, seconds: 12.04 }),
  ]);
  expect([...found]).toEqual([
    ['tagged', { of: 'chosen', title: 'first', date: '2019-07-04', isSame: false }],
  ]);
});
