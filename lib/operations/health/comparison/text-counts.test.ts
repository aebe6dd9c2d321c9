import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, notes } from '@/db/schema/entries';
import { addNote, addTranscript } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { compare, makeStoredEntry } from '@/test/stored-entries';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

it('finds entries whose text isn’t counted right, in the trash too, and counts it again', async () => {
  const { id: userId } = await makeUser();
  const ids = await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const trashedAt = n === 2 ? new Date() : null;
      const { id } = await makeStoredEntry(userId, { trashedAt });
      await addTranscript(id, 'What was said');
      await addNote(id, 'Café');
      return id;
    }),
  );
  const counts = () =>
    db()
      .select({ textBytes: entries.textBytes, noteCount: entries.noteCount })
      .from(entries)
      .orderBy(entries.id);
  const right = {
    textBytes: '[["What", 0, 0.5], ["was", 1, 1.5], ["said", 2, 2.5]]Café'.length + 1,
    noteCount: 1,
  };
  expect(await counts()).toEqual(ids.map(() => right));
  expect((await compare())['Storage use']).toBeUndefined();

  const set = (index: number, values: Partial<typeof entries.$inferInsert>) =>
    db()
      .update(entries)
      .set(values)
      .where(eq(entries.id, ids[index] ?? ''));
  await set(0, { textBytes: 7 });
  await set(2, { noteCount: 2 });
  await db().execute(sql`alter table notes disable trigger user`);
  await addNote(ids[3] ?? '', 'Unnoticed');
  await db().execute(sql`alter table notes enable trigger user`);
  expect((await compare())['Storage use']).toMatch(/^✗ 3 entries have wrong counts of their text.*--repair/s);
  expect((await compare({ mayRepair: true }))['Storage use']).toMatch(/^✓ 3 entries have/);
  expect((await compare())['Storage use']).toBeUndefined();
  expect((await counts()).map(({ noteCount }) => noteCount)).toEqual([1, 1, 1, 2]);
});

it('counts text again once a note that’s being added is there', async () => {
  const { id: userId } = await makeUser();
  const { id } = await makeStoredEntry(userId);
  await db().update(entries).set({ textBytes: 7 }).where(eq(entries.id, id));
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.insert(notes).values({ id: crypto.randomUUID(), entryId: id, text: 'Pebble' }),
    () => compare({ mayRepair: true }),
  );
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  expect(await db().select().from(entries).where(eq(entries.id, id))).toMatchObject([
    { textBytes: 6, noteCount: 1 },
  ]);
});
