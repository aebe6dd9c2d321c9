import { asc, lt, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entrySearch } from '@/db/schema/search';
import { attemptAll } from '@/lib/foundation/attempt-all';

/** The revision of the index that `search_refresh` writes. */
export const INDEX_REVISION = 1;

/** How many entries are indexed in a row, and for how long the task goes on, in milliseconds: less than the sweep waits. */
const BATCH = 100;
const MAX_MS = 30_000;

/**
 * Indexes entries again that an earlier revision of the index has. Searches find those as they did before,
 * until then. Each entry is a transaction, so that nobody waits for more than one.
 */
export async function reindexOutdated(): Promise<void> {
  const started = Date.now();
  for (let isMore = true; isMore && Date.now() - started < MAX_MS; ) {
    const outdated = await db()
      .select({ entryId: entrySearch.entryId })
      .from(entrySearch)
      .where(lt(entrySearch.revision, sql`${sql.raw(String(INDEX_REVISION))}`))
      .orderBy(asc(entrySearch.entryId))
      .limit(BATCH);
    await attemptAll(
      'search: reindex',
      outdated,
      ({ entryId }) => db().execute(sql`select search_refresh(${entryId})`),
      {
        name: ({ entryId }) => entryId,
      },
    );
    isMore = outdated.length === BATCH;
  }
}
