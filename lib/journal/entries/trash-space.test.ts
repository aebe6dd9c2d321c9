import { eq, inArray, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { outbox } from '@/db/schema/outbox';
import { planDetails } from '@/lib/billing/plans/service';
import { createImport } from '@/lib/portability/imports/history/service';
import { undoImport } from '@/lib/portability/imports/history/undo';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { listTrash, purgeEntry, purgeOldTrash, removeEntries, removeEntry, restoreEntry } from './trash';
import { previewRemoval } from './trash-space';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** The free plan's storage, in bytes: the trash holds as much again. */
const LIMIT = 5e9;
const GB = 1e9;

type Values = Parameters<typeof makeEntry>[1];

const idsInTrash = async (userId: string) => (await listTrash(userId)).map(({ id }) => id);
const bytesInTrash = async (userId: string) =>
  (await listTrash(userId)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Makes entries of these sizes in bytes, and moves them to the trash one after the other. */
async function trashAll(userId: string, sizes: readonly number[], values: Values = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const bytes of sizes) {
    const { id } = await makeEntry(userId, { ...values, bytes });
    await removeEntry(userId, id);
    ids.push(id);
  }
  return ids;
}

/** Returns how many times an entry's objects are going to be deleted. */
const countPurges = (id: string) => db().$count(outbox, like(outbox.id, `purged%${id}`));

it('purges what has been in the trash longest once the rest needs its space, and nothing before', async () => {
  const { id: userId } = await makeUser();
  const [a = '', b = '', c = ''] = await trashAll(userId, [2 * GB, 2 * GB, 1 * GB]);
  expect(await idsInTrash(userId)).toEqual([c, b, a]);
  const [d = ''] = await trashAll(userId, [1]);
  expect(await idsInTrash(userId)).toEqual([d, c, b]);
  expect(await db().$count(entries, eq(entries.id, a))).toBe(0);
  expect(await countPurges(a)).toBe(3);
  const [e = ''] = await trashAll(userId, [4 * GB]);
  expect(await idsInTrash(userId)).toEqual([e, d]);
});

it('never holds more than the plan, however often somebody uploads and deletes', async () => {
  const { id: userId } = await makeUser();
  for (let round = 0; round < 12; round += 1) {
    await trashAll(userId, [LIMIT]);
    expect(await bytesInTrash(userId)).toBe(LIMIT);
  }
  expect(await db().$count(entries, eq(entries.userId, userId))).toBe(1);
});

it('never purges what was just removed, so that it can be undone', async () => {
  const { id: userId } = await makeUser();
  const [older = ''] = await trashAll(userId, [1]);
  const large = [];
  for (let n = 0; n < 3; n += 1) large.push((await makeEntry(userId, { bytes: 3 * GB })).id);
  await removeEntries(userId, large);
  expect((await idsInTrash(userId)).sort()).toEqual([...large].sort());
  await expect(restoreEntry(userId, older)).rejects.toMatchObject({ code: 'not_found' });
  await restoreEntry(userId, large[0] ?? '');
  expect(await planDetails(userId)).toMatchObject({ storageUse: 3 * GB, videoCount: 1 });
});

it('keeps what fitted a larger plan for its 30 days, and loses as much as is added', async () => {
  const { id: userId } = await makeUser({ plan: 'Standard' });
  const sizes = [40 * GB, 10 * GB, 10 * GB, 5 * GB];
  const [a, b, c, d] = await trashAll(userId, sizes);
  await db().update(users).set({ plan: 'Free' }).where(eq(users.id, userId));
  await purgeOldTrash();
  expect(await idsInTrash(userId)).toEqual([d, c, b, a]);
  const [e] = await trashAll(userId, [2 * GB]);
  expect(await idsInTrash(userId), '40 GB for 2 GB').toEqual([e, d, c, b]);
  const [f] = await trashAll(userId, [12 * GB]);
  expect(await idsInTrash(userId)).toEqual([f, e, d]);
});

it('counts the unfinished uploads that are removed as nothing, and held videos like any other', async () => {
  const { id: userId } = await makeUser();
  const held = { heldByPlan: true, videoStatus: 'failed', durationMs: 20_000_000 } as const;
  const [first] = await trashAll(userId, [3 * GB], held);
  await trashAll(userId, [4 * GB], { videoStatus: 'uploading', videoKey: null });
  expect(await idsInTrash(userId)).toEqual([first]);
  const [second] = await trashAll(userId, [4 * GB], held);
  expect(await idsInTrash(userId)).toEqual([second]);
});

it('holds 2,000 entries, however small they are', async () => {
  const { id: userId } = await makeUser();
  const [first = ''] = await trashAll(userId, [1]);
  await db().execute(sql`insert into entries (id, user_id, title, date, file_name, content_type, bytes, video_status,
      transcript_status, trashed_at)
    select gen_random_uuid(), ${userId}, 'Small', '2026-01-15', 'small.mp4', 'video/mp4', 1, 'ready', 'completed',
      now() from generate_series(1, 1999)`);
  const { id } = await makeEntry(userId);
  expect(await previewRemoval(userId, [id])).toEqual({ limit: LIMIT, used: 2000, purged: 1 });
  await removeEntry(userId, id);
  const left = await idsInTrash(userId);
  expect([left.length, left.includes(first), left[0]]).toEqual([2000, false, id]);
  const [whole] = await trashAll(userId, [LIMIT]);
  expect(await idsInTrash(userId)).toEqual([whole]);
});

describe('the preview of a removal', () => {
  it('says how many entries it purges, which is how many it does', async () => {
    const { id: userId } = await makeUser();
    await trashAll(userId, [1 * GB, 1 * GB, 1 * GB, 1 * GB, 1 * GB]);
    const next = [];
    for (const bytes of [1, 2 * GB]) next.push((await makeEntry(userId, { bytes })).id);
    expect(await previewRemoval(userId, next)).toEqual({ limit: LIMIT, used: LIMIT, purged: 3 });
    expect(await previewRemoval(userId, next.slice(0, 1))).toMatchObject({ purged: 1 });
    await removeEntries(userId, next);
    expect(await idsInTrash(userId)).toHaveLength(4);
    expect(await previewRemoval(userId, [(await makeEntry(userId)).id])).toMatchObject({ purged: 0 });
  });

  it('is the owner’s alone', async () => {
    const [owner, stranger] = [await makeUser(), await makeUser()];
    const { id } = await makeEntry(owner.id);
    await expect(previewRemoval(stranger.id, [id])).rejects.toMatchObject({ code: 'not_found' });
    await removeEntry(owner.id, id);
    await expect(previewRemoval(owner.id, [id])).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('holds its limit when entries are removed, restored, and purged at once', async () => {
  const { id: userId } = await makeUser();
  const old = await trashAll(userId, [1 * GB, 1 * GB, 1 * GB, 1 * GB, 1 * GB]);
  const listed: string[] = [];
  for (let n = 0; n < 8; n += 1) listed.push((await makeEntry(userId, { bytes: 0.5 * GB })).id);
  const attempts = await Promise.allSettled([
    ...listed.map((id) => removeEntry(userId, id)),
    ...old.map((id, n) => (n % 2 === 0 ? restoreEntry(userId, id) : purgeEntry(userId, id))),
    purgeOldTrash(),
  ]);
  const refused = attempts.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
  expect(refused.filter(({ code }) => !['not_found', 'quota_reached'].includes(code))).toEqual([]);
  expect(await bytesInTrash(userId)).toBeLessThanOrEqual(LIMIT);
  const left = await db().select({ id: entries.id }).from(entries).where(inArray(entries.id, listed));
  expect(left, 'what was just removed is there').toHaveLength(8);
});

it('keeps all of an import that’s undone in several transactions', async () => {
  const { id: userId } = await makeUser();
  const [older] = await trashAll(userId, [1]);
  const { id: importId } = await createImport(userId, { kind: 'files', name: 'Phone' });
  const made: string[] = [];
  // More than the plan allows, as after a subscription ended.
  for (let n = 0; n < 510; n += 1) made.push((await makeEntry(userId, { bytes: 0.02 * GB })).id);
  await db()
    .insert(importedEntries)
    .values(made.map((entryId) => ({ entryId, importId, date: '2026-01-15', content: '' })));
  expect(await undoImport(userId, importId)).toEqual({ entryCount: 510 });
  const left = await idsInTrash(userId);
  expect([left.length, left.includes(older ?? '')]).toEqual([510, false]);
  // The import goes once none of its entries is left.
  await db().update(users).set({ plan: 'Free' }).where(eq(users.id, userId));
  await trashAll(userId, [11 * GB]);
  expect(await db().$count(imports, eq(imports.id, importId))).toBe(0);
});
