import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { deletedTags, entries, entryTags, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Tag } from './contract';
import { insertTags } from './service';

/** How long a deletion can be undone. */
const UNDO_HOURS = 24;

/** How many deletions of an account can be undone at most. Each remembers all the entries that had the tag. */
const MAX_UNDOABLE = 100;

/**
 * Deletes a tag, and with it its place on every entry. Remembers both for a day, so that it can be undone, for the latest 100.
 * @throws AppError `not_found`
 */
export async function deleteTag(userId: string, tagId: string): Promise<void> {
  const own = and(eq(tags.id, tagId), eq(tags.userId, userId));
  await db().transaction(async (tx) => {
    const [tag] = await tx.select().from(tags).where(own).for('update');
    if (!tag) throw new AppError('not_found');
    const { id, name, color } = tag;
    const deleted = {
      ...{ userId, name, color },
      entryIds: sql`array(select ${entryTags.entryId} from ${entryTags} where ${entryTags.tagId} = ${id})`,
      hidden: sql`exists (select from ${hiddenMemories} where ${hiddenMemories.tagId} = ${id})`,
      deletedAt: sql`now()`,
    };
    // A backup that was restored may have brought back a tag that has been deleted.
    await tx
      .insert(deletedTags)
      .values({ id, ...deleted })
      .onConflictDoUpdate({ target: deletedTags.id, set: deleted });
    await tx
      .delete(deletedTags)
      .where(
        inArray(
          deletedTags.id,
          tx
            .select({ id: deletedTags.id })
            .from(deletedTags)
            .where(eq(deletedTags.userId, userId))
            .orderBy(desc(deletedTags.deletedAt), desc(deletedTags.id))
            .offset(MAX_UNDOABLE),
        ),
      );
    await tx.delete(tags).where(own);
  });
}

/**
 * Undoes the deletion of a tag: it's back on every entry that had it and is still there.
 * @throws AppError `not_found` if it wasn't deleted lately, `conflict` if there's a new one with its name, `quota_reached`
 */
export async function restoreTag(userId: string, tagId: string): Promise<Tag> {
  return db().transaction(async (tx) => {
    const [deleted] = await tx
      .delete(deletedTags)
      .where(and(eq(deletedTags.id, tagId), eq(deletedTags.userId, userId)))
      .returning();
    if (!deleted) throw new AppError('not_found');
    const { id, name, color, entryIds, hidden } = deleted;
    const tag = { id, name, color };
    await insertTags(tx, userId, [tag]);
    const ids = sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(entryIds)}::jsonb))`;
    // The deletion left the tag in the search index, so only entries that were indexed again since need it again. That
    // makes it quick for thousands.
    await tx.execute(sql`select set_config('daylight.search_suspended', 'yes', true)`);
    await tx.execute(sql`
      insert into ${entryTags} (entry_id, tag_id)
      select id, ${id}::uuid from ${entries} where id in ${ids} and user_id = ${userId}`);
    await tx.execute(sql`select set_config('daylight.search_suspended', '', true)`);
    await tx.execute(sql`
      select search_refresh(entry_id) from (
        select entry_id from entry_search where entry_id in ${ids} and user_id = ${userId} and not vector @@ (
          '''' || search_shelf(user_id, search_month(date)) || '#' || ${id.replaceAll('-', '')} || '''')::tsquery
        order by entry_id) as outdated`);
    if (hidden) {
      await tx.execute(sql`
        insert into hidden_memories (id, user_id, tag_id) values (gen_random_uuid(), ${userId}, ${id})`);
    }
    await assertTextFits(tx, userId, 'tags');
    return tag;
  });
}

/** Deletes what's remembered of tags whose deletion can't be undone anymore. */
export async function forgetDeletedTags(): Promise<void> {
  await db()
    .delete(deletedTags)
    .where(lt(deletedTags.deletedAt, sql`now() - make_interval(hours => ${UNDO_HOURS})`));
}
