import { and, asc, desc, eq, isNotNull, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { previews } from '@/db/schema/previews';
import { listed, newestFirst } from '@/lib/journal/entries/queries';
import { summaryColumns } from '@/lib/journal/entries/service';
import { waveformColumn } from '@/lib/journal/entries/waveform';

/** What is to be hidden, by one of the three. */
export type HiddenTarget = { entryId: string } | { tagId: string } | { date: string };

const matchesTarget = (hidden: HiddenTarget): SQL => {
  if ('entryId' in hidden) return eq(hiddenMemories.entryId, hidden.entryId);
  if ('tagId' in hidden) return eq(hiddenMemories.tagId, hidden.tagId);
  return eq(hiddenMemories.date, hidden.date);
};

/** What somebody has hidden, the latest first; entries that are in the trash are left out. */
export function selectHidden(userId: string, hidden?: HiddenTarget) {
  return db()
    .select({
      id: hiddenMemories.id,
      date: hiddenMemories.date,
      entry: { id: entries.id, title: entries.title, date: entries.date },
      tag: { id: tags.id, name: tags.name, color: tags.color },
    })
    .from(hiddenMemories)
    .leftJoin(entries, and(eq(entries.id, hiddenMemories.entryId), isNull(entries.trashedAt)))
    .leftJoin(tags, eq(tags.id, hiddenMemories.tagId))
    .where(
      and(
        eq(hiddenMemories.userId, userId),
        hidden && matchesTarget(hidden),
        or(isNull(hiddenMemories.entryId), isNotNull(entries.id)),
      ),
    )
    .orderBy(desc(hiddenMemories.createdAt), desc(hiddenMemories.id));
}

export type HiddenRow = Awaited<ReturnType<typeof selectHidden>>[number];

/** Hides, unless it is hidden already; what is not somebody's own is left alone. */
export async function insertHidden(userId: string, id: string, hidden: HiddenTarget): Promise<void> {
  const row = () => {
    if ('entryId' in hidden) {
      return sql`(id, user_id, entry_id) select ${id}::uuid, user_id, id from entries where ${ownedEntry(userId, hidden.entryId)}`;
    }
    if ('tagId' in hidden) {
      return sql`(id, user_id, tag_id) select ${id}::uuid, user_id, id from tags where id = ${hidden.tagId} and user_id = ${userId}`;
    }
    return sql`(id, user_id, date) values (${id}, ${userId}, ${hidden.date})`;
  };
  await db().execute(sql`insert into hidden_memories ${row()} on conflict do nothing`);
}

/** @returns whether it was there */
export async function deleteHidden(userId: string, id: string): Promise<boolean> {
  const gone = await db()
    .delete(hiddenMemories)
    .where(and(eq(hiddenMemories.id, id), eq(hiddenMemories.userId, userId)))
    .returning({ id: hiddenMemories.id });
  return gone.length > 0;
}

/** Those that lists show, without what their owner does not want to be reminded of. */
const notHidden = (userId: string | Placeholder) =>
  and(
    listed(userId),
    sql`not exists (select from hidden_memories where user_id = ${userId} and entry_id = entries.id)`,
    sql`not exists (select from hidden_memories where user_id = ${userId} and date = entries.date)`,
    sql`not exists (select from entry_tags join hidden_memories using (tag_id)
      where user_id = ${userId} and entry_tags.entry_id = entries.id)`,
  );

const thisDayStatement = preparedStatement((connection) => {
  const today = sql.placeholder('today');
  return connection
    .select({ ...summaryColumns, waveform: waveformColumn })
    .from(entries)
    .leftJoin(previews, eq(previews.entryId, entries.id))
    .where(
      and(
        notHidden(sql.placeholder('userId')),
        sql`${entries.date} in (
          select day from generate_series(1, 100) as years, cast(${today}::date - years * interval '1 year' as date) as day
          where extract(day from day) = extract(day from ${today}::date))`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(sql.placeholder('limit'))
    .prepare('this day');
});

/** Entries of this day in earlier years, newest first. @param today `YYYY-MM-DD` */
export function selectThisDay(userId: string, today: string, limit: number) {
  return thisDayStatement().execute({ userId, today, limit });
}

/** Somebody's entry at about this share (0 to 1) of the time their journal covers. */
export async function selectAround(
  userId: string,
  share: number,
): Promise<{ id: string; title: string } | null> {
  const edge = (order: SQL) =>
    sql`(select date from entries where ${listed(userId)} order by ${order} limit 1)`;
  const target = sql`${edge(sql`date`)} + floor(${share}::float8 * (1 + ${edge(sql`date desc`)} - ${edge(sql`date`)}))::int`;
  const nearest = async (side: SQL, order: SQL) => {
    const [row] = await db()
      .select({ id: entries.id, title: entries.title })
      .from(entries)
      .where(and(notHidden(userId), sql`${entries.date} ${side} ${target}`))
      .orderBy(order, desc(entries.createdAt))
      .limit(1);
    return row ?? null;
  };
  // All that follows may be hidden.
  return (await nearest(sql`>=`, asc(entries.date))) ?? nearest(sql`<`, desc(entries.date));
}
