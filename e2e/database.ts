import type postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';

export async function userIdOf(sql: postgres.Sql, email: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from users where email = ${email}`;
  if (!row) throw new Error('There is no such account.');
  return row.id;
}

export interface EntryRow {
  title?: string;
  /** `YYYY-MM-DD` */
  date?: string;
  videoStatus?: 'uploading' | 'uploaded' | 'processing' | 'ready' | 'failed';
  videoError?: string;
  transcriptStatus?: 'processing' | 'completed' | 'failed' | 'no_speech';
  trashed?: boolean;
}

/** Puts an entry without any object in storage into an account, as if it had come that far. Returns its id. */
export async function insertEntry(sql: postgres.Sql, userId: string, row: EntryRow = {}): Promise<string> {
  const id = uuidv7();
  const status = row.videoStatus ?? 'ready';
  await sql`insert into entries ${sql({
    id,
    user_id: userId,
    title: row.title ?? 'A day',
    date: row.date ?? '2026-03-01',
    file_name: 'day.mp4',
    content_type: 'video/mp4',
    bytes: 1000,
    video_status: status,
    video_error: row.videoError ?? null,
    video_key: status === 'ready' ? `entries/${userId}/${id}/video.mp4` : null,
    transcript_status: row.transcriptStatus ?? 'no_speech',
    trashed_at: row.trashed ? new Date() : null,
  })}`;
  return id;
}

/** Adds a tag to an account, and to entries. Returns its id. */
export async function insertTag(
  sql: postgres.Sql,
  userId: string,
  name: string,
  entryIds: readonly string[],
): Promise<string> {
  const id = uuidv7();
  await sql`insert into tags ${sql({ id, user_id: userId, name })}`;
  for (const entryId of entryIds) await sql`insert into entry_tags ${sql({ entry_id: entryId, tag_id: id })}`;
  return id;
}

/** Adds a note to an entry. */
export async function insertNote(sql: postgres.Sql, entryId = ''): Promise<void> {
  await sql`insert into notes ${sql({ id: uuidv7(), entry_id: entryId, text: 'So true' })}`;
}

/** All that the database holds of an account and of its entries, to compare before and after. */
export async function snapshotAccount(sql: postgres.Sql, userId: string): Promise<string> {
  const columns = await sql<{ table_name: string; column_name: string }[]>`
    select table_name, column_name from information_schema.columns
    -- The watchdog changes the state of jobs by itself.
    where table_schema = 'public' and table_name <> 'entry_jobs' and (column_name in ('user_id', 'entry_id') or (table_name = 'users' and column_name = 'id'))
    order by table_name, column_name`;
  const tables = columns.map(async ({ table_name, column_name }) => {
    const of =
      column_name === 'entry_id'
        ? sql`entry_id in (select id from entries where user_id = ${userId})`
        : sql`${sql(column_name)} = ${userId}`;
    const rows = await sql`
      select md5(coalesce(string_agg(one::text, '|' order by one::text), '')) as sum, count(*)::int as count
      from ${sql(table_name)} one where ${of}`;
    return `${table_name}.${column_name} ${rows[0]?.count} ${rows[0]?.sum}`;
  });
  return (await Promise.all(tables)).join('\n');
}
