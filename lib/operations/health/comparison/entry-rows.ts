import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { MediaError } from '@/lib/video/media/errors';
import { type AccountRange, inRange } from './account-ranges';

/** Failures after which storage has no original. Their owners were told. */
const WITHOUT_SOURCE = [new MediaError('replaced').message, new MediaError('source_missing').message];

const columns = {
  id: entries.id,
  userId: entries.userId,
  videoStatus: entries.videoStatus,
  transcriptStatus: entries.transcriptStatus,
  videoKey: entries.videoKey,
  thumbnailKey: entries.thumbnailKey,
  bytes: entries.bytes,
  sourceEtag: entries.sourceEtag,
  storedOnce: entries.storedOnce,
  uploadExpiresAt: entries.uploadExpiresAt,
  isTrashed: sql<boolean>`${entries.trashedAt} is not null`,
  mayLackSource: sql<boolean>`${entries.videoStatus} = 'failed' and not ${entries.heldByPlan}
    and coalesce(${inArray(entries.videoError, WITHOUT_SOURCE)}, false)`,
  hasStoryboard: sql<boolean>`${previews.storyboard} is not null`,
  hasSmall: sql<boolean>`${entries.smallVersion} is not null`,
};

const select = (where: SQL | undefined) =>
  db().select(columns).from(entries).leftJoin(previews, eq(previews.entryId, entries.id)).where(where);

/** What an entry's row says about its files. */
export type EntryRow = Awaited<ReturnType<typeof select>>[number];

/** Returns the rows of a range's entries, those in the trash included. */
export async function entryRowsIn(range: AccountRange): Promise<EntryRow[]> {
  const own = inRange(entries.userId, range);
  // Each has an index of its own.
  const live = await select(and(own, isNull(entries.trashedAt)));
  const trashed = await select(and(own, isNotNull(entries.trashedAt)));
  return [...live, ...trashed];
}

/** Returns the rows of those entries that exist. */
export async function entryRowsOf(ids: readonly string[]): Promise<EntryRow[]> {
  return ids.length > 0 ? select(anyOf(entries.id, ids)) : [];
}
