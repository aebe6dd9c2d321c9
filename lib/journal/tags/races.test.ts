import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { deletedTags, entries, entryTags, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { changeTags, undoTags } from '@/lib/journal/bulk/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeTag } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { deleteTag, restoreTag } from './deletion';
import { listTags, mergeTag, setEntryTags, updateTags } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

type Tx = Parameters<Parameters<typeof duringTransaction>[0]>[0];

const refused = (code: string) => ({ status: 'rejected', reason: { code } });

/** Makes an account with an entry and two tags, which aren't on it. */
async function makeTags() {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId);
  const [one, other] = [await makeTag(userId, 'One'), await makeTag(userId, 'Other')];
  const tagsOf = async (id = entryId) =>
    (await db().select().from(entryTags).where(eq(entryTags.entryId, id))).map(({ tagId }) => tagId);
  return { userId, entryId, one, other, tagsOf };
}

const put = (entryId: string, tagId: string) => (tx: Tx) => tx.insert(entryTags).values({ entryId, tagId });
const drop = (tagId: string) => (tx: Tx) => tx.delete(tags).where(eq(tags.id, tagId));

describe('a tag that’s deleted at the same moment', () => {
  it('isn’t put on an entry, and none of its other tags change', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    await setEntryTags(userId, entryId, [other]);
    const { waited, outcome } = await duringTransaction(drop(one), () =>
      setEntryTags(userId, entryId, [one]),
    );
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect(await tagsOf()).toEqual([other]);
  });

  it('isn’t put on many entries', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    const { waited, outcome } = await duringTransaction(drop(one), () =>
      changeTags(userId, [entryId], { add: [other, one], remove: [], create: ['New'] }),
    );
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect([await tagsOf(), (await listTags(userId)).map(({ name }) => name)]).toEqual([[], ['Other']]);
  });

  it('isn’t renamed, nor is the other one of the same change', async () => {
    const { userId, one, other } = await makeTags();
    const changed = [one, other].map((id, n) => ({ id, name: `New ${n}`, color: '#000000' }));
    const { waited, outcome } = await duringTransaction(drop(other), () => updateTags(userId, changed));
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect((await listTags(userId)).map(({ name }) => name)).toEqual(['One']);
  });

  it('isn’t merged into', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    await setEntryTags(userId, entryId, [one]);
    const { waited, outcome } = await duringTransaction(drop(other), () => mergeTag(userId, one, other));
    expect([waited, outcome]).toMatchObject([true, refused('not_found')]);
    expect(await tagsOf()).toEqual([one]);
  });
});

describe('an entry that gets a tag at the same moment', () => {
  it('has the tag that it’s merged into', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    const { waited, outcome } = await duringTransaction(put(entryId, one), () =>
      mergeTag(userId, one, other),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await tagsOf()).toEqual([other]);
  });

  it('gets it back when its deletion is undone', async () => {
    const { userId, entryId, one, tagsOf } = await makeTags();
    const { waited, outcome } = await duringTransaction(put(entryId, one), () => deleteTag(userId, one));
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await tagsOf()).toEqual([]);
    await restoreTag(userId, one);
    expect(await tagsOf()).toEqual([one]);
  });

  it('keeps it, though the change that created it is undone', async () => {
    const { userId, entryId, tagsOf } = await makeTags();
    const { id: another } = await makeEntry(userId);
    const change = await changeTags(userId, [entryId], { add: [], remove: [], create: ['New'] });
    const [created = ''] = change.created;
    const { waited, outcome } = await duringTransaction(put(another, created), () =>
      undoTags(userId, change),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect([await tagsOf(), await tagsOf(another)]).toEqual([[], [created]]);
  });

  it('has only those of its new list', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await tx.select().from(entries).where(eq(entries.id, entryId)).for('update');
        await put(entryId, one)(tx);
      },
      () => setEntryTags(userId, entryId, [other]),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await tagsOf()).toEqual([other]);
  });
});

describe('a tag that’s hidden from memories at the same moment', () => {
  it('is hidden when its deletion is undone', async () => {
    const { userId, one } = await makeTags();
    const { waited } = await duringTransaction(
      (tx) => tx.insert(hiddenMemories).values({ id: crypto.randomUUID(), userId, tagId: one }),
      () => deleteTag(userId, one),
    );
    const [deleted] = await db().select().from(deletedTags).where(eq(deletedTags.id, one));
    expect([waited, deleted?.hidden]).toEqual([true, true]);
  });
});

describe('the locks of tags and entries', () => {
  it('of several tags are taken in the order of their ids, wherever the table has them', async () => {
    const { userId, one, other } = await makeTags();
    const [first = '', second = ''] = [one, other].toSorted();
    // Moves the first row behind the other one.
    await db().update(tags).set({ name: 'Renamed' }).where(eq(tags.id, first));
    const lock = (id: string) => (tx: Tx) => tx.select().from(tags).where(eq(tags.id, id)).for('update');
    const { waited, outcome } = await duringTransaction(lock(first), () => mergeTag(userId, second, first), {
      finish: lock(second),
    });
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  });

  it('are taken in the same order by a change of many entries as by a merge', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    await setEntryTags(userId, entryId, [one]);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.select().from(tags).where(eq(tags.id, one)).for('update'),
      () => changeTags(userId, [entryId], { add: [one, other], remove: [], create: [] }),
      // As the search index of an entry that gets another tag.
      { finish: (tx) => tx.select().from(entries).where(eq(entries.id, entryId)).for('no key update') },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await tagsOf()).toSorted()).toEqual([one, other].toSorted());
  });

  it('are taken in the same order by an entry’s new list as by a merge', async () => {
    const { userId, entryId, one, other, tagsOf } = await makeTags();
    await setEntryTags(userId, entryId, [one]);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.select().from(tags).where(eq(tags.id, one)).for('update'),
      () => setEntryTags(userId, entryId, [one, other]),
      // As the search index of an entry that gets another tag.
      { finish: (tx) => tx.select().from(entries).where(eq(entries.id, entryId)).for('no key update') },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await tagsOf()).toSorted()).toEqual([one, other].toSorted());
  });
});
