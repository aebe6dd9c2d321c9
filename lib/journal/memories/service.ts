import { and, asc, desc, eq, isNotNull, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { preparedStatement } from '@/db/prepared';
import { entries, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { previews } from '@/db/schema/previews';
import { AppError } from '@/lib/foundation/contract/errors';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { listed, newestFirst, waveformColumn } from '@/lib/journal/entries/queries';
import { presentSummary, summaryColumns, videoUrlOf } from '@/lib/journal/entries/service';
import { type CalendarDate, readDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { getHighlights } from '@/lib/journal/highlights/service';
import type { Word } from '@/lib/journal/transcripts/contract';
import type { HiddenMemory, HiddenTarget } from './contract';

/** How many years are offered. */
const MAX_YEARS = 6;
/** How many entries of this day are looked at to find the best one of each year. */
const MAX_ENTRIES = 24;

/** Those that lists show, without what their owner does not want to be reminded of. */
export const notHidden = (userId: string | Placeholder) =>
  and(
    listed(userId),
    sql`not exists (select from hidden_memories where user_id = ${userId} and entry_id = entries.id)`,
    sql`not exists (select from hidden_memories where user_id = ${userId} and date = entries.date)`,
    sql`not exists (select from entry_tags join hidden_memories using (tag_id)
      where user_id = ${userId} and entry_tags.entry_id = entries.id)`,
  );

/** Those of the same day in an earlier year. @param today `YYYY-MM-DD` */
export const isThisDay = (today: string | Placeholder) => sql`${entries.date} in (
  select day from generate_series(1, 100) as years, cast(${today}::date - years * interval '1 year' as date) as day
  where extract(day from day) = extract(day from ${today}::date))`;

const thisDayStatement = preparedStatement((connection) => {
  return connection
    .select({ ...summaryColumns, language: entries.language, waveform: waveformColumn })
    .from(entries)
    .leftJoin(previews, eq(previews.entryId, entries.id))
    .where(and(notHidden(sql.placeholder('userId')), isThisDay(sql.placeholder('today'))))
    .orderBy(...newestFirst)
    .limit(MAX_ENTRIES)
    .prepare('this day');
});

/** An entry of this day in an earlier year. */
export interface Memory {
  entry: EntrySummary;
  /** The sentence that stands for it, with its words' times; empty if nobody spoke. */
  words: Word[];
  /** The language of its words, BCP 47; null while it's unknown. */
  language: string | null;
  /** Empty while there's nothing to play. */
  videoUrl: string;
  /** Base64 of the video's volume over time, as in {@link Previews}. */
  waveform: string | null;
}

/**
 * Returns a memory for each earlier year that has entries of this day, newest year first, without those that are hidden.
 * Of several in a year it's the newest one that somebody speaks in.
 */
export async function onThisDay(userId: string, today: CalendarDate): Promise<Memory[]> {
  const rows = await thisDayStatement().execute({ userId, today: toIso(today) });
  const words = await getHighlights(
    userId,
    rows.map(({ id }) => id),
  );
  const best = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const year = row.date.slice(0, 4);
    const chosen = best.get(year);
    if (!chosen || (!words.has(chosen.id) && words.has(row.id))) best.set(year, row);
  }
  return [...best.values()].slice(0, MAX_YEARS).map((row) => ({
    entry: presentSummary(row),
    words: words.get(row.id) ?? [],
    language: row.language,
    videoUrl: videoUrlOf(row),
    waveform: row.waveform,
  }));
}

/** Some entry that is not hidden, from any time of the journal alike; null when there is none. */
export async function getRandomEntry(userId: string): Promise<{ id: string; title: string } | null> {
  const edge = (order: SQL) =>
    sql`(select date from entries where ${listed(userId)} order by ${order} limit 1)`;
  const target = sql`${edge(sql`date`)} + floor(${Math.random()}::float8 * (1 + ${edge(sql`date desc`)} - ${edge(sql`date`)}))::int`;
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

const matchesTarget = (target: HiddenTarget): SQL => {
  if ('entryId' in target) return eq(hiddenMemories.entryId, target.entryId);
  if ('tagId' in target) return eq(hiddenMemories.tagId, target.tagId);
  return eq(hiddenMemories.date, toIso(target.date));
};

/** What somebody has hidden, the latest first, or one of it. Entries that are in the trash are left out. */
export async function listHidden(userId: string, target?: HiddenTarget): Promise<HiddenMemory[]> {
  const rows = await db()
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
        target && matchesTarget(target),
        or(isNull(hiddenMemories.entryId), isNotNull(entries.id)),
      ),
    )
    .orderBy(desc(hiddenMemories.createdAt), desc(hiddenMemories.id));
  return rows.map(({ id, entry, tag, date }) => ({
    id,
    entry: entry && { ...entry, date: readDate(entry.date) },
    tag,
    date: date === null ? null : readDate(date),
  }));
}

/**
 * Returns the row that hides something; none if it isn't somebody's own. The locks keep entries and tags until the row that
 * refers to them is there.
 */
function hiddenRow(userId: string, id: string, target: HiddenTarget): SQL {
  if ('entryId' in target) {
    return sql`(id, user_id, entry_id) select ${id}::uuid, user_id, id from entries where ${ownedEntry(userId, target.entryId)} for key share`;
  }
  if ('tagId' in target) {
    return sql`(id, user_id, tag_id) select ${id}::uuid, user_id, id from tags where id = ${target.tagId} and user_id = ${userId} for key share`;
  }
  return sql`(id, user_id, date) values (${id}, ${userId}, ${toIso(target.date)})`;
}

/**
 * Leaves something out of On This Day and of surprises, unless it is hidden already; it stays in the journal and in search.
 * @throws AppError `not_found` when the entry or the tag is not theirs
 */
export async function hideMemory(userId: string, target: HiddenTarget): Promise<HiddenMemory> {
  await db().execute(
    sql`insert into hidden_memories ${hiddenRow(userId, uuidv7(), target)} on conflict do nothing`,
  );
  const [hidden] = await listHidden(userId, target);
  if (!hidden) throw new AppError('not_found');
  return hidden;
}

/** Takes back what was hidden. @throws AppError `not_found` */
export async function unhideMemory(userId: string, id: string): Promise<void> {
  const gone = await db()
    .delete(hiddenMemories)
    .where(and(eq(hiddenMemories.id, id), eq(hiddenMemories.userId, userId)))
    .returning({ id: hiddenMemories.id });
  if (gone.length === 0) throw new AppError('not_found');
}
