import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { deletedTags, entries } from '@/db/schema/entries';
import { AppError } from '@/lib/foundation/contract/errors';
import { getEntry, updateEntry } from '@/lib/journal/entries/service';
import { hideMemory, listHidden } from '@/lib/journal/memories/service';
import { search } from '@/lib/journal/search/service';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import * as contract from './contract';
import { deleteTag, forgetDeletedTags, restoreTag } from './deletion';
import { createTag, insertTags, listTags, mergeTag, setEntryTags, updateTags } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const WHITE = '#FFFFFF';
const error = (code: string) => expect.objectContaining({ code });
const namesOf = async (userId: string) => (await listTags(userId)).map((tag) => tag.name);

describe('tags', () => {
  it('are listed by name, whatever their case', async () => {
    const user = await makeUser();
    for (const name of ['work', 'Family', 'Äpfel', 'art']) await createTag(user.id, name, WHITE);
    expect((await namesOf(user.id)).slice(0, 3)).toEqual(['art', 'Family', 'work']);
  });

  it('have names that are unique to their owner, whatever the case, also when made at once', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const made = await Promise.allSettled(
      ['Family', 'family', 'FAMILY', 'fAmily'].map((name) => createTag(user.id, name, WHITE)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
    }
    await expect(createTag(other.id, 'Family', WHITE)).resolves.toMatchObject({ name: 'Family' });
  });

  it('leave every entry when they are deleted, and are deleted by their owner only', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const entry = await makeEntry(user.id);
    const tag = await createTag(user.id, 'Family', WHITE);
    await setEntryTags(user.id, entry.id, [tag.id]);
    await expect(deleteTag(other.id, tag.id)).rejects.toEqual(error('not_found'));
    await deleteTag(user.id, tag.id);
    expect((await getEntry(user.id, entry.id)).tags).toEqual([]);
    await expect(deleteTag(user.id, tag.id)).rejects.toEqual(error('not_found'));
  });

  it('come back with their entries, in search and hidden from memories as before, when a deletion is undone', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [kept, changed, purged] = [
      await makeEntry(user.id),
      await makeEntry(user.id),
      await makeEntry(user.id),
    ];
    const tag = await createTag(user.id, 'Family', '#AB4931');
    const untagged = await makeEntry(user.id);
    for (const { id } of [kept, changed, purged]) await setEntryTags(user.id, id, [tag.id]);
    await hideMemory(user.id, { tagId: tag.id });
    await deleteTag(user.id, tag.id);
    // Indexes it again, without the tag.
    await updateEntry(user.id, changed.id, { title: 'Changed since' });
    await db().delete(entries).where(eq(entries.id, purged.id));
    await expect(restoreTag(other.id, tag.id)).rejects.toEqual(error('not_found'));
    expect(await restoreTag(user.id, tag.id)).toEqual(tag);
    expect(await listTags(user.id)).toEqual([tag]);
    for (const { id } of [kept, changed]) expect((await getEntry(user.id, id)).tags).toEqual([tag]);
    expect((await getEntry(user.id, untagged.id)).tags).toEqual([]);
    const found = await search(user.id, { query: '', categories: [tag.id], limit: 10 });
    expect(found.results.map(({ id }) => id).sort()).toEqual([kept.id, changed.id].sort());
    expect((await listHidden(user.id)).map((hidden) => hidden.tag)).toEqual([tag]);
    await expect(restoreTag(user.id, tag.id)).rejects.toEqual(error('not_found'));
  });

  it('are deleted again if a backup has brought them back', async () => {
    const user = await makeUser();
    const tag = await createTag(user.id, 'Family', WHITE);
    await deleteTag(user.id, tag.id);
    await insertTags(db(), user.id, [{ ...tag, name: 'Home' }]);
    await deleteTag(user.id, tag.id);
    expect(await restoreTag(user.id, tag.id)).toMatchObject({ id: tag.id, name: 'Home' });
  });

  it('stay deleted if their name is taken again, and after a day', async () => {
    const user = await makeUser();
    const tag = await createTag(user.id, 'Family', WHITE);
    await deleteTag(user.id, tag.id);
    const second = await createTag(user.id, 'family', WHITE);
    await expect(restoreTag(user.id, tag.id)).rejects.toEqual(error('conflict'));
    await deleteTag(user.id, second.id);
    await forgetDeletedTags();
    await expect(restoreTag(user.id, tag.id)).resolves.toEqual(tag);
    await db().update(deletedTags).set({ deletedAt: sql`now() - interval '25 hours'` });
    await forgetDeletedTags();
    await expect(restoreTag(user.id, second.id)).rejects.toEqual(error('not_found'));
  });

  it('are remembered after the latest 100 deletions of their own account', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const theirs = await createTag(other.id, 'Family', WHITE);
    await deleteTag(other.id, theirs.id);
    const [first, second] = [
      await createTag(user.id, 'First', WHITE),
      await createTag(user.id, 'Second', WHITE),
    ];
    for (const { id } of [first, second]) await deleteTag(user.id, id);
    const remember = (count: number) =>
      db().execute(sql`
        insert into deleted_tags (id, user_id, name, color, entry_ids, hidden, deleted_at)
        select gen_random_uuid(), ${user.id}, 'Other', ${WHITE}, '{}', false, now() from generate_series(1, ${count})`);
    await remember(97);
    await deleteTag(user.id, (await createTag(user.id, 'Last', WHITE)).id);
    await expect(restoreTag(user.id, first.id)).resolves.toEqual(first);
    await remember(1);
    await deleteTag(user.id, (await createTag(user.id, 'One more', WHITE)).id);
    await expect(restoreTag(user.id, second.id)).rejects.toEqual(error('not_found'));
    await expect(restoreTag(other.id, theirs.id)).resolves.toEqual(theirs);
  });

  it('take white unless told otherwise, and nothing but six hex digits', () => {
    const parse = (category_color?: string) =>
      contract.createTag.body.safeParse({ category_name: ' Family ', category_color });
    expect(parse().data).toEqual({ category_name: 'Family', category_color: WHITE });
    for (const bad of ['', '#FFF', 'FFFFFF', '#GGGGGG', '#FFFFFFFF', 'red']) {
      expect(parse(bad).success, bad).toBe(false);
    }
    expect(contract.createTag.body.safeParse({ category_name: '  ' }).success).toBe(false);
  });
});

describe('changing many tags', () => {
  it('renames and recolours, and lets two tags trade their names', async () => {
    const user = await makeUser();
    const [one, two] = [await createTag(user.id, 'One', WHITE), await createTag(user.id, 'Two', WHITE)];
    const changed = await updateTags(user.id, [
      { id: one.id, name: 'Two', color: '#112233' },
      { id: two.id, name: 'one', color: WHITE },
    ]);
    expect(changed).toEqual([
      { id: two.id, name: 'one', color: WHITE },
      { id: one.id, name: 'Two', color: '#112233' },
    ]);
  });

  it('writes all or nothing when names clash, or when a tag is not theirs', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [one, two] = [await createTag(user.id, 'One', WHITE), await createTag(user.id, 'Two', WHITE)];
    const foreign = await createTag(other.id, 'Theirs', WHITE);
    const rename = (id: string, name: string) => ({ id, name, color: WHITE });
    await expect(updateTags(user.id, [rename(one.id, 'Uno'), rename(two.id, 'UNO')])).rejects.toEqual(
      error('conflict'),
    );
    await expect(updateTags(user.id, [rename(one.id, 'two')])).rejects.toEqual(error('conflict'));
    for (const id of [foreign.id, randomUUID()]) {
      await expect(updateTags(user.id, [rename(one.id, 'Uno'), rename(id, 'Mine')])).rejects.toEqual(
        error('not_found'),
      );
    }
    expect(await namesOf(user.id)).toEqual(['One', 'Two']);
    expect(await namesOf(other.id)).toEqual(['Theirs']);
  });

  it('takes each tag once', () => {
    const tag = { id: randomUUID(), name: 'One', color: WHITE };
    expect(contract.updateTags.body.safeParse({ categories: [tag, tag] }).success).toBe(false);
  });
});

describe('merging two tags', () => {
  it('gives the entries of one the other, once each, and deletes it', async () => {
    const user = await makeUser();
    const [first, both, bare] = [
      await makeEntry(user.id),
      await makeEntry(user.id),
      await makeEntry(user.id),
    ];
    const [from, into] = [await createTag(user.id, 'Fam', WHITE), await createTag(user.id, 'Family', WHITE)];
    await setEntryTags(user.id, first.id, [from.id]);
    await setEntryTags(user.id, both.id, [from.id, into.id]);
    expect(await mergeTag(user.id, from.id, into.id)).toEqual([into]);
    expect((await getEntry(user.id, first.id)).tags).toEqual([into]);
    expect((await getEntry(user.id, both.id)).tags).toEqual([into]);
    expect((await getEntry(user.id, bare.id)).tags).toEqual([]);
  });

  it('touches nothing that is not theirs, and no tag into itself', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [mine, foreign] = [
      await createTag(user.id, 'Mine', WHITE),
      await createTag(other.id, 'Theirs', WHITE),
    ];
    await expect(mergeTag(user.id, mine.id, foreign.id)).rejects.toEqual(error('not_found'));
    await expect(mergeTag(user.id, foreign.id, mine.id)).rejects.toEqual(error('not_found'));
    await expect(mergeTag(user.id, mine.id, mine.id)).rejects.toEqual(error('conflict'));
    expect([await namesOf(user.id), await namesOf(other.id)]).toEqual([['Mine'], ['Theirs']]);
  });
});

describe('the tags of an entry', () => {
  it('are the full new list, however it is written', async () => {
    const user = await makeUser();
    const entry = await makeEntry(user.id);
    const [b, a] = [await createTag(user.id, 'b', WHITE), await createTag(user.id, 'A', WHITE)];
    expect(await setEntryTags(user.id, entry.id, [b.id, a.id])).toEqual([a, b]);
    expect(await setEntryTags(user.id, entry.id, [b.id])).toEqual([b]);
    expect((await getEntry(user.id, entry.id)).tags).toEqual([b]);
    expect(await setEntryTags(user.id, entry.id, [])).toEqual([]);
    const { data } = contract.setEntryTags.body.safeParse({
      categories: [a.id, { id: b.id, name: 'b' }, a.id],
    });
    expect(data?.categories).toEqual([a.id, b.id]);
  });

  it('never contain what is not theirs', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const [entry, foreignEntry] = [await makeEntry(user.id), await makeEntry(other.id)];
    const [mine, foreign] = [await createTag(user.id, 'Mine', WHITE), await createTag(other.id, 'x', WHITE)];
    await setEntryTags(user.id, entry.id, [mine.id]);
    await expect(setEntryTags(user.id, entry.id, [foreign.id])).rejects.toEqual(error('not_found'));
    await expect(setEntryTags(user.id, foreignEntry.id, [mine.id])).rejects.toEqual(error('not_found'));
    // The entry is what's missing first, and not a tag that was deleted meanwhile.
    const neither = setEntryTags(user.id, foreignEntry.id, [foreign.id]);
    await expect(neither).rejects.toEqual(new AppError('not_found'));
    expect((await getEntry(user.id, entry.id)).tags).toEqual([mine]);
    expect((await getEntry(other.id, foreignEntry.id)).tags).toEqual([]);
  });

  it('end in one of the lists when many are sent at once', async () => {
    const user = await makeUser();
    const entry = await makeEntry(user.id);
    const made = [await createTag(user.id, 'a', WHITE), await createTag(user.id, 'b', WHITE)];
    const lists = Array.from({ length: 12 }, (_, n) => [made[n % 2]?.id ?? '']);
    await Promise.all(lists.map((ids) => setEntryTags(user.id, entry.id, ids)));
    expect((await getEntry(user.id, entry.id)).tags).toHaveLength(1);
  });
});
