import type postgres from 'postgres';
import { createSpeechGenerator, seededRandom } from './speech-generator';

export interface JournalSpec {
  users: { id: string; email: string; passwordHash: string }[];
  /** The number of entries per user. */
  entries: number;
  /** The number of words per entry. */
  words: number;
  /** The newest date, `YYYY-MM-DD`. The others are spread evenly over the `years` before it. */
  until: string;
  years: number;
}

/** How many distinct texts to generate at most; entries share them. */
const MAX_TEXTS = 1000;
const TAGS = [
  ['Family', '#2F6F4F'],
  ['Work', '#AA3355'],
  ['Running', '#3355AA'],
  ['Garden', '#7A8F2B'],
  ['Travel', '#C27C0E'],
  ['Music', '#6B4FA0'],
  ['Health', '#118AB2'],
  ['Friends', '#E07A5F'],
];

/** Returns SQL for a UUIDv7 at a point in time, which Postgres before 18 can't generate. */
const UUID7 = (moment: string) => `(
  lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
  || to_hex(8 + floor(random() * 4)::int) || substr(md5(random()::text), 1, 15))::uuid`;

/**
 * Inserts journals in bulk: realistic titles, transcripts, tags, and notes, and the search index that the triggers
 * would create, from vectors computed once per text. There are no videos. Everything runs in one transaction that
 * rebuilds the full-text index at the end, since updating it entry by entry would take many times as long. A running
 * copy of the app waits with its own writes until then.
 */
export async function insertSampleJournals(database: postgres.Sql, ...all: JournalSpec[]): Promise<void> {
  const TABLES = ['entries', 'transcripts', 'entry_tags', 'notes', 'entry_search'];
  await database.begin(async (sql) => {
    await sql`set local synchronous_commit = off`;
    await sql`set local statement_timeout = 0`;
    await sql`set local maintenance_work_mem = '1GB'`;
    for (const table of TABLES) await sql.unsafe(`alter table ${table} disable trigger user`);
    const [index] = await sql`select pg_get_indexdef('entry_search_vector'::regclass) as definition`;
    await sql`drop index entry_search_vector`;
    for (const journals of all) if (journals.users.length > 0) await insertSampleJournal(sql, journals);
    await sql.unsafe(index?.definition);
    for (const table of TABLES) await sql.unsafe(`alter table ${table} enable trigger user`);
  });
}

async function insertSampleJournal(sql: postgres.TransactionSql, journals: JournalSpec): Promise<void> {
  const { users, entries, words, until, years } = journals;
  const random = seededRandom(entries + words);
  const speak = createSpeechGenerator(random);
  const texts = Array.from({ length: Math.min(MAX_TEXTS, Math.max(50, entries)) }, (_, n) => ({
    n,
    title: speak.title(),
    note: speak.note(),
    words: speak.words(words),
  }));
  await sql.unsafe('create temp table spoken_text (n int primary key, title text, note text, words jsonb)');
  for (let from = 0; from < texts.length; from += 50) {
    await sql`insert into spoken_text select * from jsonb_to_recordset(${JSON.stringify(texts.slice(from, from + 50))}::text::jsonb)
        as t(n int, title text, note text, words jsonb)`;
  }
  await sql.unsafe(`
      create temp table vector as
      select n, search_forms(search_plain(title), true) as title, search_forms(search_plain(note), true) as note,
        search_spoken(words, true) as spoken from spoken_text`);
  for (const user of users) {
    await sql`insert into users (id, email, password_hash, first_name, last_name, gender, date_of_birth, verified_at)
        values (${user.id}, ${user.email}, ${user.passwordHash}, 'Robin', 'Sample', 'prefer not to say', '1990-01-01', now())`;
  }
  const ids = JSON.stringify(users.map(({ id }) => id));
  await sql.unsafe(
    `insert into tags (id, user_id, name, color)
       select ${UUID7('now()')}, owner::uuid, tag ->> 0, tag ->> 1
       from jsonb_array_elements_text($1::text::jsonb) owner, jsonb_array_elements($2::text::jsonb) tag`,
    [ids, JSON.stringify(TAGS)],
  );
  await sql.unsafe(
    `create temp table made as
       select ${UUID7('at')} as id, owner::uuid as user_id, at::date as date, at,
         floor(random() * ${texts.length})::int as n, random() as luck
       from jsonb_array_elements_text($1::text::jsonb) owner,
         generate_series(0, ${entries} - 1) nth,
         lateral (select ($2::date + time '19:30' - nth * (interval '1 day' * ${years} * 365.25 / ${entries}))
           at time zone 'UTC' as at) moment`,
    [ids, until],
  );
  await sql.unsafe(`
      insert into entries (id, user_id, title, date, created_at, file_name, content_type, bytes, duration_ms, width, height,
        video_status, video_key, transcript_status, language)
      select id, user_id, title, date, at, 'day.mp4', 'video/mp4', ${words * 60_000}, ${words * 400}, 1280, 720,
        'ready', 'entries/' || user_id || '/' || id || '/video.mp4', 'completed', 'en'
      from made join spoken_text using (n)`);
  await sql.unsafe(`
      insert into transcripts (entry_id, revision, words, engine, created_at)
      select id, 0, words, 'sample', at from made join spoken_text using (n)`);
  await sql.unsafe(`
      insert into entry_tags (entry_id, tag_id)
      select made.id, tags.id from made join tags using (user_id)
      where (hashtext(made.id::text || tags.name) & 15) < 3`);
  await sql.unsafe(`
      insert into notes (id, entry_id, text, created_at)
      select ${UUID7('at')}, id, note, at from made join spoken_text using (n) where luck < 0.3`);
  await sql.unsafe(`
      insert into entry_search (entry_id, user_id, date, created_at, vector, words)
      select id, user_id, date, at, search_vector(search_shelf(user_id, search_month(date)), title,
        (select array_agg(tag_id) from entry_tags where entry_id = made.id), spoken,
        case when luck < 0.3 then note else '' end), ${words}
      from made join vector using (n)`);
  for (const recount of ['journal_recount', 'search_recount']) {
    await sql`select ${sql(recount)}(array(select jsonb_array_elements_text(${ids}::text::jsonb)::uuid))`;
  }
  await sql.unsafe('select text_recount(array(select id from made))');
  await sql.unsafe('drop table spoken_text, vector, made');
}
