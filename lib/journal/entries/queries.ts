import { and, asc, desc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import type { Tag } from '@/lib/journal/tags/contract';
import type { Cursor } from './cursor';

/**
 * Selects the entries that lists show: uploaded, and not in the trash. Must match the predicate of the index
 * `entries_newest` literally, since Postgres can't use the index if any of it is a parameter.
 */
export const listed = (userId: string | Placeholder) =>
  and(
    eq(entries.userId, userId),
    sql`${entries.trashedAt} is null and ${entries.videoStatus} <> 'uploading'`,
  );

const placeColumns = [entries.date, entries.createdAt, entries.id] as const;

export const newestFirst = placeColumns.map((column) => desc(column));
export const oldestFirst = placeColumns.map((column) => asc(column));

/** An entry's place in lists, as columns to select. */
export const placeOfEntry = sql.join([...placeColumns], sql`, `);

/** A place to compare `(${placeOfEntry})` with. */
export const placeAt = ({ date, createdAt, id }: Record<keyof Cursor, string | Placeholder>) =>
  sql`(${date}::date, ${createdAt}::timestamptz, ${id}::uuid)`;

/** An entry's waveform as base64, or null if it has none: an empty one means that none can be made. */
export const waveformColumn = sql<string | null>`nullif(${previews.waveform}, '')`;

/** An entry's tags by name. @param entryId where its id is, in SQL */
export const tagsOf = (entryId: SQL) => sql<Tag[]>`(
  select coalesce(json_agg(json_build_object('id', tags.id, 'name', tags.name, 'color', tags.color)
    order by lower(tags.name)), '[]')
  from entry_tags join tags on tags.id = entry_tags.tag_id
  where entry_tags.entry_id = ${entryId})`;
