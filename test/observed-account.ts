import { eq, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { planDetails } from '@/lib/billing/plans/service';
import { dashboard } from '@/lib/journal/entries/dashboard';
import { journalFilters, journalPage } from '@/lib/journal/entries/gallery';
import { listed } from '@/lib/journal/entries/queries';
import { getEntry } from '@/lib/journal/entries/service';
import { listHidden } from '@/lib/journal/memories/service';
import { listTags } from '@/lib/journal/tags/service';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';
import { searchEntryIds } from './entry-fixtures';

const SEARCHES = ['lighthouse', 'call', 'family', 'trip', 'boats', 'vid', 'rain', 'morning'];

/** Returns everything that an account's owner can see outside the trash, and the words and months that are counted for them. */
export async function observe(userId: string) {
  const ids = await db().select({ id: entries.id }).from(entries).where(listed(userId)).orderBy(entries.id);
  const rows = (counted: SQL) => db().execute(sql`select to_jsonb(one) as row ${counted} order by one::text`);
  return {
    entries: await Promise.all(ids.map(({ id }) => getEntry(userId, id))),
    unfinished: await db().$count(
      entries,
      sql`${eq(entries.userId, userId)} and ${entries.videoStatus} = 'uploading'`,
    ),
    tags: await listTags(userId),
    hidden: await listHidden(userId),
    vocabulary: await vocabularyOf(userId),
    plan: await planDetails(userId),
    journal: await journalPage(userId, 1),
    filters: await journalFilters(userId),
    dashboard: await dashboard(userId),
    found: await Promise.all(SEARCHES.map((query) => searchEntryIds(userId, query))),
    words: await rows(sql`from search_words one where user_id = ${userId}`),
    months: await rows(sql`from journal_months one where user_id = ${userId} and entries > 0`),
  };
}
