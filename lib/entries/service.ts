import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { createCursorCodec } from '@/lib/contract/cursor';
import { AppError } from '@/lib/contract/errors';
import { id } from '@/lib/contract/fields';
import { enqueueEvent } from '@/lib/outbox/service';
import { releaseHeld } from '@/lib/plans/held-videos';
import { lockPlan } from '@/lib/plans/service';
import { presignDownload } from '@/lib/services/storage';
import { type CalendarDate, fromIso, toIso } from './calendar';
import type { Entry, EntrySummary } from './contract';
import { countEntries } from './months';
import { detailColumns, presentEntry, presentSummary } from './present';
import { selectDetail, selectSummaries } from './queries';

/** What `GET /entries` gives at most when it is not asked for pages. */
const MAX_UNPAGED_ENTRIES = 10_000;

/** Returns an entry with its notes, tags, and transcript. @throws AppError `not_found` */
export async function getEntry(userId: string, entryId: string): Promise<Entry> {
  const row = await selectDetail(userId, entryId);
  if (!row) throw new AppError('not_found');
  return presentEntry(row);
}

/** Where the list goes on: the date, the moment and the id of the last entry shown. */
const cursors = createCursorCodec(
  z
    .tuple([
      z.string().refine((date) => fromIso(date) !== null),
      // Postgres has no year 0.
      z.iso.datetime().refine((moment) => !moment.startsWith('0000')),
      id,
    ])
    .transform(([date, createdAt, entryId]) => ({ date, createdAt, id: entryId })),
);

/** A stretch of the list; `next` is the cursor of what follows, null at the end. */
export async function listEntries(
  userId: string,
  options: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ entries: EntrySummary[]; next: string | null; total: number }> {
  const limit = options.limit ?? MAX_UNPAGED_ENTRIES;
  const after = options.cursor ? { after: cursors.read(options.cursor) } : {};
  const [rows, total] = await Promise.all([
    selectSummaries(userId, { limit: limit + 1, ...after }),
    countEntries(userId),
  ]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last ? cursors.write([last.date, last.createdAt.toISOString(), last.id]) : null;
  return { entries: shown.map(presentSummary), next, total };
}

/** Changes the title or the date, and returns the whole entry, in one statement. @throws AppError `not_found` */
export async function updateEntry(
  userId: string,
  entryId: string,
  { title, date }: { title?: string | undefined; date?: CalendarDate | undefined },
): Promise<Entry> {
  const [row] = await db()
    .update(entries)
    .set({ title, date: date && toIso(date) })
    .where(ownedEntry(userId, entryId))
    .returning(detailColumns);
  if (!row) throw new AppError('not_found');
  return presentEntry(row);
}

/** Returns the id of the event that stops an entry's jobs. */
export const removalEventId = (entryId: string, trashedAt: Date | null) =>
  `removed-${entryId}-${trashedAt?.getTime()}`;

/**
 * Moves the entry to the trash: it is gone from everywhere at once, and its jobs stop. What has been uploaded so
 * far of a video that is not whole is deleted. Videos that the plan held and now has time for are processed.
 * @throws AppError `not_found`
 */
export async function removeEntry(userId: string, entryId: string): Promise<void> {
  await db().transaction(async (tx) => {
    // Before the entry is changed, as whatever admits or releases videos locks in this order.
    await lockPlan(tx, userId);
    const [removed] = await tx
      .update(entries)
      .set({ trashedAt: sql`now()` })
      .where(ownedEntry(userId, entryId))
      .returning({ videoStatus: entries.videoStatus, trashedAt: entries.trashedAt });
    if (!removed) throw new AppError('not_found');
    const data = { entryId, userId };
    if (removed.videoStatus === 'uploading') {
      await enqueueEvent(tx, `discarded-${entryId}`, { name: 'entry/purged', data });
    }
    await enqueueEvent(tx, removalEventId(entryId, removed.trashedAt), {
      name: 'entry/removed',
      data,
    });
    await releaseHeld(tx, userId);
  });
}

/**
 * A signed address of the entry's video or thumbnail.
 * @returns the address, and for how many seconds it stays the same
 * @throws AppError `not_found` when there is none, too
 */
export async function mediaAddress(
  userId: string,
  entryId: string,
  kind: 'video' | 'thumbnail',
): Promise<{ url: string; sameForSeconds: number }> {
  const [row] = await db()
    .select({ video: entries.videoKey, thumbnail: entries.thumbnailKey })
    .from(entries)
    .where(ownedEntry(userId, entryId));
  const key = row?.[kind];
  if (!key) throw new AppError('not_found');
  const type = kind === 'thumbnail' ? 'image/jpeg' : key.endsWith('.webm') ? 'video/webm' : 'video/mp4';
  return presignDownload(key, type);
}
