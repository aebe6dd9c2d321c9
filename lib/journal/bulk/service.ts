import { and, eq, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { entries, entryTags, tags } from '@/db/schema/entries';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { changeLocked, lockEntries } from '@/lib/journal/entries/change-entries';
import { listed } from '@/lib/journal/entries/queries';
import {
  addDays,
  type CalendarDate,
  isWithinPast100Years,
  latestToday,
  readDate,
  toIso,
} from '@/lib/journal/entries/shared/calendar';
import { insertTags, lockTags } from '@/lib/journal/tags/service';
import type { ChangedDates, ChangedTags } from './contract';

/** Writes dates (`YYYY-MM-DD`) of entries that are locked, in one statement. */
async function writeDates(
  tx: Transaction,
  userId: string,
  dates: { id: string; date: string }[],
): Promise<void> {
  const ids = dates.map(({ id }) => id);
  const given = sql`jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) as given (id uuid, date date)`;
  await changeLocked(tx, userId, ids, () =>
    tx
      .update(entries)
      .set({ date: sql`given.date` })
      .from(given)
      .where(and(sql`${entries.id} = given.id`, eq(entries.userId, userId))),
  );
}

/**
 * Gives entries one date, or moves each by a number of days, all or none.
 * @returns every date before and after
 * @throws AppError `not_found`, or `validation_failed` if a date would be out of range
 */
export async function changeDates(
  userId: string,
  ids: string[],
  to: { date?: CalendarDate | undefined; days?: number | undefined },
): Promise<ChangedDates> {
  return db().transaction(async (tx) => {
    const locked = await lockEntries(tx, ids, listed(userId));
    const dates = locked.map(({ id, date }) => {
      const before = readDate(date);
      return { id, before, after: to.date ?? addDays(before, to.days ?? 0) };
    });
    const today = latestToday();
    if (dates.some(({ after }) => !isWithinPast100Years(after, today))) {
      const days = 'Every date must stay in the past 100 years.';
      throw new AppError('validation_failed', { message: days, fields: { days } });
    }
    await writeDates(
      tx,
      userId,
      dates.map(({ id, after }) => ({ id, date: toIso(after) })),
    );
    return dates;
  });
}

/**
 * Gives entries the dates back that they had before {@link changeDates}, all or none.
 * @throws AppError `not_found`, or `conflict` if a date was changed since
 */
export async function undoDates(userId: string, dates: ChangedDates): Promise<void> {
  await db().transaction(async (tx) => {
    const ids = dates.map(({ id }) => id);
    const now = new Map((await lockEntries(tx, ids, listed(userId))).map(({ id, date }) => [id, date]));
    if (dates.some(({ id, after }) => now.get(id) !== toIso(after))) {
      throw new AppError('conflict', {
        message: 'We couldn’t undo this, because some of these dates have changed since then.',
      });
    }
    await writeDates(
      tx,
      userId,
      dates.map(({ id, before }) => ({ id, date: toIso(before) })),
    );
  });
}

/** The entries that a change put each tag on, or took it from. */
type TaggedEntries = ChangedTags['added'];

function groupByTag(rows: { entryId: string; tagId: string }[]): TaggedEntries {
  const groups = new Map<string, string[]>();
  for (const { entryId, tagId } of rows) {
    const group = groups.get(tagId);
    if (group) group.push(entryId);
    else groups.set(tagId, [entryId]);
  }
  return [...groups].map(([tag, entries]) => ({ tag, entries }));
}

const columns = { entryId: entryTags.entryId, tagId: entryTags.tagId };

/** Puts every tag on every entry, and returns what wasn't there before. */
async function addTags(tx: Transaction, userId: string, entryIds: string[], tagIds: string[]) {
  if (tagIds.length === 0) return [];
  const pairs = tx
    .select({ entryId: entries.id, tagId: tags.id })
    .from(entries)
    .innerJoin(tags, eq(tags.userId, entries.userId))
    .where(and(eq(entries.userId, userId), anyOf(entries.id, entryIds), anyOf(tags.id, tagIds)));
  return tx.insert(entryTags).select(pairs).onConflictDoNothing().returning(columns);
}

/** Takes every tag from every entry, and returns what was there. Both are locked, and so theirs. */
async function removeTags(tx: Transaction, entryIds: string[], tagIds: string[]) {
  if (tagIds.length === 0) return [];
  return tx
    .delete(entryTags)
    .where(and(anyOf(entryTags.entryId, entryIds), anyOf(entryTags.tagId, tagIds)))
    .returning(columns);
}

/**
 * Adds tags to entries, new ones too, and removes others, all or none.
 * @throws AppError `not_found` unless all the entries and tags are theirs, `conflict` if a new tag's name is taken,
 * `quota_reached` if they're too many
 */
export async function changeTags(
  userId: string,
  ids: string[],
  { add, remove, create }: { add: string[]; remove: string[]; create: string[] },
): Promise<ChangedTags> {
  return db().transaction(async (tx) => {
    // Before the entries, in the same order as a merge of two tags.
    await lockTags(tx, userId, [...add, ...remove], 'key share');
    await lockEntries(tx, ids, listed(userId));
    const drafts = create.map((name) => ({ name }));
    const created = (await insertTags(tx, userId, drafts)).map(({ id }) => id);
    const changed = await changeLocked(tx, userId, ids, async () => ({
      removed: groupByTag(await removeTags(tx, ids, remove)),
      added: groupByTag(await addTags(tx, userId, ids, [...add, ...created])),
      created,
    }));
    if (created.length > 0) await assertTextFits(tx, userId, 'tags');
    return changed;
  });
}

const pairsOf = (groups: TaggedEntries) => sql`
  select entry_id, given.tag as tag_id
  from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as given (tag uuid, entries uuid[]), unnest(given.entries) as entry_id`;

/**
 * Gives entries the tags back that they had before {@link changeTags}, all or none. Deletes the tags that it created,
 * unless other entries have them now.
 * @returns the ids of the entries
 * @throws AppError `not_found` if one of the entries or tags is gone
 */
export async function undoTags(userId: string, { added, removed, created }: ChangedTags): Promise<string[]> {
  const groups = [...added, ...removed];
  const ids = [...new Set(groups.flatMap((group) => group.entries))];
  const tagIds = [...new Set([...groups.map(({ tag }) => tag), ...created])];
  await db().transaction(async (tx) => {
    await lockTags(tx, userId, tagIds, 'update');
    if (ids.length > 0) {
      await lockEntries(tx, ids, listed(userId));
      await changeLocked(tx, userId, ids, async () => {
        await tx.execute(sql`delete from entry_tags where (entry_id, tag_id) in (${pairsOf(added)})`);
        await tx.execute(
          sql`insert into entry_tags (entry_id, tag_id) ${pairsOf(removed)} on conflict do nothing`,
        );
      });
    }
    const isUnused = sql`not exists (select from ${entryTags} where ${entryTags.tagId} = ${tags.id})`;
    await tx.delete(tags).where(and(eq(tags.userId, userId), anyOf(tags.id, created), isUnused));
  });
  return ids;
}
