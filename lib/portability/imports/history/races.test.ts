import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { hiddenMemories } from '@/db/schema/memories';
import { transcripts } from '@/db/schema/transcripts';
import { lockPlan } from '@/lib/billing/plans/service';
import { addVocabulary } from '@/lib/journal/transcripts/vocabulary';
import * as contract from '@/lib/portability/imports/archive/contract';
import { lockTagsByName } from '@/lib/portability/imports/archive/details';
import { importJournal, importRevision } from '@/lib/portability/imports/archive/service';
import { useFreshDatabase } from '@/test/app-database';
import { openClip } from '@/test/clip-fixtures';
import { makeTag } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { openImport, startImport } from '@/test/import-fixtures';
import { duringTransaction } from '@/test/open-transaction';
import { smallArchive } from '@/test/sample-archives';
import { undoImport } from './undo';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

type Tx = Parameters<Parameters<typeof duringTransaction>[0]>[0];

const refused = (code: string) => ({ status: 'rejected', reason: { code } });

async function newImport() {
  const { id: userId } = await makeUser();
  return { userId, importId: await startImport(userId) };
}

/** Marks a video as arrived, as the end of its upload does. */
const complete = (entryId: string) => (tx: Tx) =>
  tx.update(entries).set({ videoStatus: 'uploaded' }).where(eq(entries.id, entryId));

/** Returns an entry's rows. */
const rowsOf = async (entryId: string) => ({
  entry: await db().select().from(entries).where(eq(entries.id, entryId)),
  imported: await db().select().from(importedEntries).where(eq(importedEntries.entryId, entryId)),
  notes: await db().select().from(notes).where(eq(notes.entryId, entryId)),
  tags: await db().select().from(entryTags).where(eq(entryTags.entryId, entryId)),
  revisions: await db().select().from(transcripts).where(eq(transcripts.entryId, entryId)),
});

describe('the undo of an import', () => {
  it('removes what’s being added at the same moment', async () => {
    const { userId, importId } = await newImport();
    const { id: entryId } = await makeEntry(userId);
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await lockPlan(tx, userId);
        await tx.insert(importedEntries).values({ entryId, importId, date: '2026-01-15', content: '' });
      },
      () => undoImport(userId, importId),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: { entryCount: 1 } }]);
    expect((await rowsOf(entryId)).entry).toMatchObject([{ trashedAt: expect.any(Date) }]);
  });

  it('leaves a tag to its owner who’s giving it to another entry at the same moment', async () => {
    const { userId, importId } = await newImport();
    const { id: entryId } = await makeEntry(userId);
    const tagId = await makeTag(userId, 'Boats');
    await db().update(tags).set({ importId }).where(eq(tags.id, tagId));
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.insert(entryTags).values({ entryId, tagId }),
      () => undoImport(userId, importId),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await db().select().from(tags).where(eq(tags.id, tagId))).toMatchObject([{ importId: null }]);
    expect((await rowsOf(entryId)).tags).toEqual([{ entryId, tagId }]);
  });

  it('is finished when the first of two calls has finished it', async () => {
    const { userId, importId } = await newImport();
    const own = eq(imports.id, importId);
    const [undoneAt, undoFinishedAt] = [new Date('2026-01-15T10:00:00Z'), new Date('2026-01-15T10:01:00Z')];
    await db().update(imports).set({ undoneAt }).where(own);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(imports).set({ undoFinishedAt }).where(own),
      () => undoImport(userId, importId),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await db().select().from(imports).where(own)).toMatchObject([{ undoneAt, undoFinishedAt }]);
  });
});

it('the end of an undo locks the account before tags and words, as an import does', async () => {
  const { userId, importId } = await newImport();
  const tagId = await makeTag(userId, 'Boats');
  await db().update(tags).set({ importId }).where(eq(tags.id, tagId));
  const { entryId } = await openClip(userId, importId);
  const undoneAt = async () =>
    (await db().select().from(imports).where(eq(imports.id, importId))).map((row) => row.undoneAt);
  let upload = Promise.resolve();
  const release = await new Promise<() => void>((onLocked) => {
    upload = db().transaction(async (tx) => {
      await tx.select().from(entries).where(eq(entries.id, entryId)).for('update');
      await new Promise<void>(onLocked);
    });
  });
  // It begins, and waits for the upload.
  const undone = undoImport(userId, importId);
  await expect.poll(undoneAt, { timeout: 60_000 }).toEqual([expect.any(Date)]);
  const { waited, outcome } = await duringTransaction(
    async (tx) => {
      await lockPlan(tx, userId);
      await addVocabulary(tx, { userId, importId }, ['Siobhan'], new Date());
      release();
      await upload;
    },
    () => undone,
    { finish: (tx) => lockTagsByName(tx, userId, ['Boats']) },
  );
  expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  expect(await db().$count(tags, eq(tags.userId, userId))).toBe(0);
});

describe('an import that’s deleted at the same moment', () => {
  const forget = (importId: string) => (tx: Tx) => tx.delete(imports).where(eq(imports.id, importId));

  it('gets no clip', async () => {
    const { userId, importId } = await newImport();
    const { waited, outcome } = await duringTransaction(forget(importId), () => openClip(userId, importId));
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect(await db().$count(entries, eq(entries.userId, userId))).toBe(0);
  });
});

describe('a video that arrives at the same moment', () => {
  it('keeps what its clip was imported with', async () => {
    const { userId, importId } = await newImport();
    const { entryId } = await openClip(userId, importId, { tags: [{ name: 'Trip', color: '#AA0000' }] });
    const before = await rowsOf(entryId);
    const { waited, outcome } = await duringTransaction(complete(entryId), () =>
      openClip(userId, importId, { title: 'Another' }),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: { entryId, exists: true } }]);
    const [entry] = before.entry;
    expect(await rowsOf(entryId)).toEqual({ ...before, entry: [{ ...entry, videoStatus: 'uploaded' }] });
  });

  it('gets no more revisions of an archive', async () => {
    const { userId, importId } = await newImport();
    const { journal, files } = smallArchive();
    const { entryId } = await openImport(userId, journal, files, undefined, { import_id: importId });
    const revision = contract.importRevision.body.parse({
      revision: 0,
      draft: false,
      logProbability: -0.1,
      words: [['Late', 0, 1, null]],
      estimated: false,
      engine: null,
      createdAt: '2024-05-02T00:00:00.000Z',
    });
    const { waited, outcome } = await duringTransaction(complete(entryId), () =>
      importRevision(userId, entryId, revision),
    );
    expect([waited, outcome]).toMatchObject([true, refused('conflict')]);
    expect((await rowsOf(entryId)).revisions).toEqual([]);
  });
});

it('a tag stays that its clip loses while another entry gets it', async () => {
  const { userId, importId } = await newImport();
  const { id: other } = await makeEntry(userId);
  const { entryId } = await openClip(userId, importId, { tags: [{ name: 'Trip', color: '#AA0000' }] });
  const [tagId = ''] = (await rowsOf(entryId)).tags.map((row) => row.tagId);
  const { waited, outcome } = await duringTransaction(
    (tx) => tx.insert(entryTags).values({ entryId: other, tagId }),
    () => openClip(userId, importId, { tags: [] }),
  );
  expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: { entryId, exists: false } }]);
  expect([(await rowsOf(entryId)).tags, (await rowsOf(other)).tags]).toEqual([
    [],
    [{ entryId: other, tagId }],
  ]);
});

describe('what an archive has besides entries', () => {
  const journalOf = (importId: string, values: object) =>
    contract.importJournal.body.parse({
      import_id: importId,
      exportedAt: '2026-01-15T00:00:00.000Z',
      tags: [],
      vocabulary: [],
      hiddenTags: [],
      hiddenDates: [],
      ...values,
    });
  const createdAt = '2025-01-02T00:00:00.000Z';

  it('doesn’t hide a tag that’s deleted at the same moment', async () => {
    const { userId, importId } = await newImport();
    const tagId = await makeTag(userId, 'Trip');
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.delete(tags).where(eq(tags.id, tagId)),
      () => importJournal(userId, journalOf(importId, { hiddenTags: [{ name: 'Trip', createdAt }] })),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await db().$count(hiddenMemories, eq(hiddenMemories.userId, userId))).toBe(0);
  });

  it('waits for another import, which adds the same tags in another order', async () => {
    const { userId, importId } = await newImport();
    const add = (name: string) => (tx: Tx) =>
      tx.insert(tags).values({ id: crypto.randomUUID(), userId, name }).onConflictDoNothing();
    const given = ['B', 'A'].map((name) => ({ name, color: '#AA0000' }));
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await lockPlan(tx, userId);
        await add('A')(tx);
      },
      () => importJournal(userId, journalOf(importId, { tags: given })),
      { finish: add('B') },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await db().$count(tags, eq(tags.userId, userId))).toBe(2);
  });
});
