import { and, asc, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { anyOf, noneOf } from '@/db/any-of';
import { type Database, db, type Transaction } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Tag } from './contract';

const columns = { id: tags.id, name: tags.name, color: tags.color };
const byName = [asc(sql`lower(${tags.name})`), asc(tags.id)];

const NAMES_ALIKE = 'Two tags can’t have the same name.';

const conflictOnDuplicate = (message: string) => (error: unknown) => {
  if (isUniqueViolation(error)) throw new AppError('conflict', { message });
  throw error;
};

const tagsStatement = preparedStatement((connection) =>
  connection
    .select(columns)
    .from(tags)
    .where(eq(tags.userId, sql.placeholder('userId')))
    .orderBy(...byName)
    .prepare('tags'),
);

/** Every tag of an account, by name. */
export async function listTags(userId: string, tx?: Database | Transaction): Promise<Tag[]> {
  return tagsStatement(tx).execute({ userId });
}

/**
 * Inserts tags, all or none; white by default. Its caller calls {@link assertTextFits}.
 * @throws AppError `conflict` if there is one of these names, whatever its case
 */
export async function insertTags(
  tx: Database | Transaction,
  userId: string,
  drafts: { id?: string; name: string; color?: string }[],
): Promise<Tag[]> {
  const [first] = drafts;
  if (!first) return [];
  const isTaken = drafts.length === 1 ? `You already have a tag named “${first.name}”.` : NAMES_ALIKE;
  return tx
    .insert(tags)
    .values(drafts.map((draft) => ({ id: uuidv7(), ...draft, userId })))
    .returning(columns)
    .catch(conflictOnDuplicate(isTaken));
}

/** Creates a tag. @throws AppError `conflict` if there is one of this name, whatever its case; `quota_reached` */
export const createTag = (userId: string, name: string, color: string): Promise<Tag> =>
  db().transaction(async (tx) => {
    const tag = { id: uuidv7(), name, color };
    await insertTags(tx, userId, [tag]);
    await assertTextFits(tx, userId, 'tags');
    return tag;
  });

const TAG_MISSING = { message: 'One of these tags was deleted. Reload the page.' };

/** Locks tags of an account until the transaction ends, in one order for all. @throws AppError `not_found` */
export async function lockTags(
  tx: Transaction,
  userId: string,
  ids: string[],
  strength: 'update' | 'key share',
  said: { message?: string } = TAG_MISSING,
) {
  if (ids.length === 0) return;
  const found = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.userId, userId), anyOf(tags.id, ids)))
    .orderBy(asc(tags.id))
    .for(strength);
  if (found.length < ids.length) throw new AppError('not_found', said);
}

/**
 * Renames and recolours tags, all or none.
 * @returns every tag of the account, by name
 * @throws AppError `not_found`, or `conflict` when two tags would have one name
 */
export async function updateTags(userId: string, changed: Tag[]): Promise<Tag[]> {
  if (changed.length === 0) return listTags(userId);
  const ids = changed.map((tag) => tag.id);
  const rename = async (tx: Transaction) => {
    await lockTags(tx, userId, ids, 'update');
    // Uniqueness is checked row by row: names make way first, so that two tags can trade theirs.
    await tx
      .update(tags)
      .set({ name: sql`${tags.id}::text` })
      .where(and(eq(tags.userId, userId), anyOf(tags.id, ids)));
    const values = sql.join(
      changed.map(({ id, name, color }) => sql`(${id}::uuid, ${name}::text, ${color}::text)`),
      sql`, `,
    );
    await tx.execute(sql`
      update ${tags} set name = given.name, color = given.color
      from (values ${values}) as given (id, name, color) where ${tags.id} = given.id and ${tags.userId} = ${userId}`);
    return listTags(userId, tx);
  };
  return db().transaction(rename).catch(conflictOnDuplicate(NAMES_ALIKE));
}

/**
 * Gives every entry of a tag another one in its place, the entries in the trash too, and deletes it.
 * @returns every tag of the account, by name
 * @throws AppError `not_found`, or `conflict` when both are the same
 */
export async function mergeTag(userId: string, tagId: string, intoId: string): Promise<Tag[]> {
  if (tagId === intoId) {
    throw new AppError('conflict', { message: 'A tag can’t be merged into itself.' });
  }
  return db().transaction(async (tx) => {
    await lockTags(tx, userId, [tagId, intoId], 'update', {});
    const tagged = tx
      .select({ entryId: entryTags.entryId, tagId: sql`${intoId}::uuid`.as('tag_id') })
      .from(entryTags)
      .where(eq(entryTags.tagId, tagId));
    await tx.insert(entryTags).select(tagged).onConflictDoNothing();
    await tx.delete(tags).where(and(eq(tags.id, tagId), eq(tags.userId, userId)));
    return listTags(userId, tx);
  });
}

/**
 * Gives an entry its full new list of tags.
 * @throws AppError `not_found` when the entry or one of the tags is not the user's; then nothing is written
 */
export async function setEntryTags(userId: string, entryId: string, tagIds: string[]): Promise<Tag[]> {
  const owned = (tx: Transaction) =>
    tx.select({ id: entries.id }).from(entries).where(ownedEntry(userId, entryId));
  return db().transaction(async (tx) => {
    // Before the entry, in the same order as a merge of two tags.
    await lockTags(tx, userId, tagIds, 'key share').catch(async (error: unknown) => {
      // An entry that isn't there is what the request names first, whatever tags it wants.
      throw (await owned(tx))[0] ? error : new AppError('not_found');
    });
    if (!(await owned(tx).for('update'))[0]) throw new AppError('not_found');
    await tx.delete(entryTags).where(and(eq(entryTags.entryId, entryId), noneOf(entryTags.tagId, tagIds)));
    if (tagIds.length === 0) return [];
    await tx
      .insert(entryTags)
      .values(tagIds.map((tagId) => ({ entryId, tagId })))
      .onConflictDoNothing();
    return tx
      .select(columns)
      .from(tags)
      .where(and(eq(tags.userId, userId), anyOf(tags.id, tagIds)))
      .orderBy(...byName);
  });
}
