import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { RECORDING_NAME } from '@/lib/video/shared/recording-name';
import { useFreshDatabase } from '@/test/app-database';
import { duringTransaction } from '@/test/open-transaction';
import { makeOutdated, startsOf } from '@/test/outdated-videos';
import { getEntryRow } from '@/test/video-fixtures';
import { outdatedVideos, startRemake } from './remake';
import { VIDEO_REVISION } from './revision';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase({});
});
afterAll(() => end());

it('may be stored twice if its upload could be copied or is a recording, once it’s ready', async () => {
  const current = { videoRevision: VIDEO_REVISION, storedOnce: false };
  const known = { name: 'source' as const, bytes: 1, sha256: 'a', crc32: 1 };
  const copied = await makeOutdated({}, current);
  const converted = await makeOutdated({}, current);
  const unread = await makeOutdated({}, current);
  await db()
    .insert(entryFiles)
    .values([
      { ...known, entryId: copied.entryId, playable: true },
      { ...known, entryId: converted.entryId, playable: false },
      { ...known, entryId: unread.entryId, playable: null },
    ]);
  const recorded = await makeOutdated({}, { ...current, fileName: `${RECORDING_NAME}.mp4` });
  await makeOutdated({}, { ...current, fileName: `${RECORDING_NAME}.mp4`, videoStatus: 'processing' });
  const find = async (storesOnce: boolean) => {
    const found: string[] = [];
    for await (const { entryId } of outdatedVideos(storesOnce)) found.push(entryId);
    return found;
  };
  expect(await find(true)).toEqual([copied.entryId, recorded.entryId].sort());
  expect(await find(false)).toEqual([]);
});

describe('a video that’s to be made again', () => {
  it.each([
    ['is moved to the trash', { trashedAt: new Date() }],
    ['is being processed', { videoStatus: 'processing' as const }],
    ['is held', { heldByPlan: true }],
    ['was published by this revision', { videoRevision: VIDEO_REVISION }],
  ])('isn’t if its entry %s at the same moment', async (_, change) => {
    const entry = await makeOutdated({});
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set(change).where(eq(entries.id, entry.entryId)),
      () => startRemake(entry, ['HDR']),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: false }]);
    expect(await startsOf('video', entry.entryId)).toBe(0);
    expect(await getEntryRow(entry.entryId)).toMatchObject(change);
  });

  it('keeps a transcript that’s completed at the same moment', async () => {
    const entry = await makeOutdated({}, { transcriptStatus: 'no_speech' });
    const { waited } = await duringTransaction(
      (tx) => tx.update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, entry.entryId)),
      () => startRemake(entry, ['sound']),
    );
    expect(waited).toBe(true);
    expect(await getEntryRow(entry.entryId)).toMatchObject({ transcriptStatus: 'completed' });
    expect(await startsOf('transcript', entry.entryId)).toBe(0);
  });

  it('is started once by two programs', async () => {
    const entry = await makeOutdated({});
    const started = await Promise.all([startRemake(entry, ['HDR']), startRemake(entry, ['HDR'])]);
    expect(started.sort()).toEqual([false, true]);
    expect(await startsOf('video', entry.entryId)).toBe(1);
  });
});
