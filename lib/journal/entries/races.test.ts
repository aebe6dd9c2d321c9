import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryFiles } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { vocabulary } from '@/db/schema/transcripts';
import { lockPlan } from '@/lib/billing/plans/service';
import { changeDates, undoDates } from '@/lib/journal/bulk/service';
import { createImport } from '@/lib/portability/imports/history/service';
import { addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { saveChecksum } from './checksums';
import { purgeEntry, purgeOldTrash, removeEntry, restoreEntry } from './trash';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const refused = (code: string) => ({ status: 'rejected', reason: { code } });

const rowOf = async (id: string) => (await db().select().from(entries).where(eq(entries.id, id)))[0];

describe('permanent deletion', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

  it('leaves an entry alone that’s restored at the same moment', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { trashedAt: new Date() });
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ trashedAt: null }).where(eq(entries.id, id)),
      () => purgeEntry(userId, id),
    );
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect(await rowOf(id)).toMatchObject({ trashedAt: null });
  });

  it('after 30 days doesn’t wait for an entry that’s being restored, and deletes the others', async () => {
    const { id: userId } = await makeUser();
    const trashedAt = daysAgo(31);
    const [restored, other] = [
      await makeEntry(userId, { trashedAt }),
      await makeEntry(userId, { trashedAt }),
    ];
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ trashedAt: null }).where(eq(entries.id, restored.id)),
      purgeOldTrash,
    );
    expect([waited, outcome.status]).toEqual([false, 'fulfilled']);
    expect([await rowOf(restored.id), await rowOf(other.id)]).toMatchObject([{ trashedAt: null }, undefined]);
  });

  it('after 30 days leaves an entry that’s locked to the next run', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { trashedAt: daysAgo(31) });
    const { waited } = await duringTransaction(
      (tx) => tx.select().from(entries).where(eq(entries.id, id)).for('update'),
      purgeOldTrash,
    );
    expect([waited, (await rowOf(id))?.id]).toEqual([false, id]);
    await purgeOldTrash();
    expect(await rowOf(id)).toBeUndefined();
  });

  it('keeps an import that another entry is being added to', async () => {
    const { id: userId } = await makeUser();
    const { id: importId } = await createImport(userId, { kind: 'files', name: 'Phone' });
    const [only, next] = [await makeEntry(userId, { trashedAt: new Date() }), await makeEntry(userId)];
    const details = { importId, date: '2026-01-15', content: '' };
    await db()
      .insert(importedEntries)
      .values({ ...details, entryId: only.id });
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.insert(importedEntries).values({ ...details, entryId: next.id }),
      () => purgeEntry(userId, only.id),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await db().$count(imports, eq(imports.id, importId))).toBe(1);
    const left = await db().select().from(importedEntries).where(eq(importedEntries.importId, importId));
    expect(left.map(({ entryId }) => entryId)).toEqual([next.id]);
  });

  it('to make space locks entries before what they taught, as other deletions do', async () => {
    const { id: userId } = await makeUser();
    const old = await makeEntry(userId, { bytes: 5e9, trashedAt: new Date() });
    const { id } = await makeEntry(userId);
    await addTranscript(old.id, 'I called chevonne');
    await addTranscript(old.id, 'I called Siobhan', 1);
    await db().insert(vocabulary).values({ userId, word: 'Siobhan' });
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.select().from(entries).where(eq(entries.id, old.id)).for('update'),
      () => removeEntry(userId, id),
      { finish: (tx) => tx.delete(vocabulary).where(eq(vocabulary.userId, userId)) },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect([await rowOf(old.id), await rowOf(id)]).toMatchObject([
      undefined,
      { trashedAt: expect.any(Date) },
    ]);
  });
});

describe('a restore', () => {
  it('finds nothing to restore once an entry is permanently deleted', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { trashedAt: new Date() });
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.delete(entries).where(eq(entries.id, id)),
      () => restoreEntry(userId, id),
    );
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
  });

  it('counts the entry that takes the plan’s last space at the same moment', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { trashedAt: new Date() });
    for (let n = 0; n < 29; n += 1) await makeEntry(userId);
    const last = await makeEntry(userId, { trashedAt: new Date() });
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await lockPlan(tx, userId);
        await tx.update(entries).set({ trashedAt: null }).where(eq(entries.id, last.id));
      },
      () => restoreEntry(userId, id),
    );
    expect([waited, outcome]).toMatchObject([true, refused('quota_reached')]);
  });
});

it.each([
  ['a removal', null, removeEntry],
  ['a restore', new Date(), restoreEntry],
])(
  'locks the account before entries, as everything does that counts videos: %s',
  async (_, trashedAt, work) => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { trashedAt });
    const { waited, outcome } = await duringTransaction(
      (tx) => lockPlan(tx, userId),
      async () => void (await work(userId, id)),
      { finish: (tx) => tx.select().from(entries).where(eq(entries.id, id)).for('update') },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await rowOf(id))?.trashedAt === null).toBe(trashedAt !== null);
  },
);

describe('dates of many entries', () => {
  const setDate = (id: string, date: string) => (tx: Pick<ReturnType<typeof db>, 'update'>) =>
    tx.update(entries).set({ date }).where(eq(entries.id, id));

  it('move from the date that was given at the same moment', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { date: '2025-01-01' });
    const { waited, outcome } = await duringTransaction(setDate(id, '2025-03-10'), () =>
      changeDates(userId, [id], { days: 1 }),
    );
    const [before, after] = [
      { year: 2025, month: 3, day: 10 },
      { year: 2025, month: 3, day: 11 },
    ];
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: [{ id, before, after }] }]);
    expect(await rowOf(id)).toMatchObject({ date: '2025-03-11' });
  });

  it('lock them in the order of their ids, wherever the table has them', async () => {
    const { id: userId } = await makeUser();
    const made = [await makeEntry(userId), await makeEntry(userId)].map(({ id }) => id);
    const [one = '', other = ''] = made.toSorted();
    // Moves the first row behind the other one.
    await setDate(one, '2025-01-01')(db());
    const lock = (id: string) => (tx: Parameters<typeof lockPlan>[0]) =>
      tx.select().from(entries).where(eq(entries.id, id)).for('update');
    const { waited, outcome } = await duringTransaction(
      lock(one),
      () => changeDates(userId, [other, one], { days: -1 }),
      { finish: lock(other) },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  });

  it('aren’t undone over one that was given at the same moment', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId, { date: '2025-01-01' });
    const changed = await changeDates(userId, [id], { days: 1 });
    const { waited, outcome } = await duringTransaction(setDate(id, '2025-03-10'), () =>
      undoDates(userId, changed),
    );
    expect([waited, outcome]).toMatchObject([true, refused('conflict')]);
    expect(await rowOf(id)).toMatchObject({ date: '2025-03-10' });
  });
});

it('saves no checksum of an entry that’s permanently deleted meanwhile', async () => {
  const { id: userId } = await makeUser();
  const { id } = await makeEntry(userId);
  const sums = { bytes: 1, sha256: 'a', crc32: 1, playable: true };
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.delete(entries).where(eq(entries.id, id)),
    () => saveChecksum(db(), id, 'source', sums),
  );
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  expect(await db().$count(entryFiles, eq(entryFiles.entryId, id))).toBe(0);
});
