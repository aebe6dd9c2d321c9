import { type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { changeLocked } from '@/lib/journal/entries/change-entries';

/**
 * Creates entries of the same day, a minute apart, each with a transcript of the same words.
 * @returns their ids, newest first
 */
export async function makeSpokenDays(userId: string, count: number, words = 3): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const made = sql`jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) with ordinality as made (id, n)`;
  await db().transaction((tx) =>
    changeLocked(tx, userId, ids, async () => {
      await tx.execute(sql`
        insert into entries (id, user_id, title, date, created_at, file_name, content_type, bytes, duration_ms, video_status,
          video_key, transcript_status, language)
        select id::uuid, ${userId}, 'Day ' || n, '2026-01-15', now() - n * interval '1 minute', 'day.mp4', 'video/mp4', 1000,
          1000, 'ready', 'video.mp4', 'completed', 'en' from ${made}`);
      await tx.execute(sql`
        insert into transcripts (entry_id, revision, words)
        select id::uuid, 0, (select jsonb_agg(jsonb_build_array('word' || n, n, n)) from generate_series(1, ${words}) as n)
        from ${made}`);
    }),
  );
  return ids;
}

const owned = (userId: string) => sql`entry_id in (select id from entries where user_id = ${userId})`;

/** Returns everything that bulk actions may change of an account, also what triggers keep, to compare before and after. */
export async function readJournal(userId: string) {
  const rows = async (from: SQL) => [...(await db().execute(sql`select * from ${from} order by 1, 2, 3`))];
  return {
    entries: await rows(sql`entries where user_id = ${userId}`),
    tags: await rows(sql`tags where user_id = ${userId}`),
    entryTags: await rows(sql`(select *, 0 from entry_tags where ${owned(userId)}) as t`),
    found: await rows(
      sql`(select entry_id, user_id, date::text, created_at, vector::text, words from entry_search where user_id = ${userId}) as t`,
    ),
    words: await rows(sql`search_words where user_id = ${userId}`),
    months: await rows(sql`journal_months where user_id = ${userId} and entries > 0`),
  };
}
