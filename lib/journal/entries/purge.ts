import { and, asc, eq, gte, isNull, lt, lte, notExists, or, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { anyOf } from '@/db/any-of';
import type { Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { forgetWordsOfEntries } from '@/lib/journal/transcripts/vocabulary';
import { deleteExports, requestExports } from '@/lib/messaging/outbox/export-jobs';
import { enqueueEvents } from '@/lib/messaging/outbox/service';

/** What {@link enqueuePurge} needs to know about a deleted row. */
export const purgedColumns = {
  entryId: entries.id,
  userId: entries.userId,
  date: entries.date,
  videoStatus: entries.videoStatus,
  uploadExpiresAt: entries.uploadExpiresAt,
  trashedAt: entries.trashedAt,
};

type PurgedEntry = SelectResultFields<typeof purgedColumns>;

const MINUTE_MS = 60_000;
/** Lets requests that began just before an address expired finish. */
const EXPIRY_GRACE_MS = 5 * MINUTE_MS;
/** By then no request and no job can still be writing. */
const FINAL_PURGE_DELAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Matches the archives that were requested before an entry moved to the trash, and include it. Where it was before its
 * date was changed isn't known, so archives of those years aren't matched.
 */
function archivesOf({ entryId, userId, date, videoStatus, trashedAt }: PurgedEntry) {
  // Archives don't include uploads.
  if (!trashedAt || videoStatus === 'uploading') return [];
  const year = Number.parseInt(date, 10);
  const hasYear = and(
    isNull(exports.entryIds),
    or(isNull(exports.fromYear), lte(exports.fromYear, year)),
    or(isNull(exports.toYear), gte(exports.toYear, year)),
  );
  return [
    and(
      eq(exports.userId, userId),
      lt(exports.createdAt, trashedAt),
      or(hasYear, sql`${entryId}::uuid = any(${exports.entryIds})`),
    ),
  ];
}

/**
 * Deletes the archives that include purged entries. Those that were being prepared start over without them, as other
 * archives, so that what their runs have written goes too.
 */
async function removeFromArchives(tx: Transaction, purged: readonly PurgedEntry[]): Promise<void> {
  const archives = purged.flatMap(archivesOf);
  if (archives.length === 0) return;
  const ids = new Set(purged.map(({ entryId }) => entryId));
  const deleted = await deleteExports(tx, or(...archives));
  const unfinished = deleted
    .filter(({ status }) => status === 'preparing')
    .map((row) => ({ ...row, entryIds: row.entryIds?.filter((id) => !ids.has(id)) ?? null }));
  await requestExports(
    tx,
    unfinished.filter(({ entryIds }) => entryIds?.length !== 0),
  );
}

/** Deletes imports that have no entries left, since the name of a file is part of them. */
export async function deleteEmptyImports(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const isOne = anyOf(imports.id, ids);
  // So that nothing is being added to them.
  await tx.select({ id: imports.id }).from(imports).where(isOne).orderBy(asc(imports.id)).for('update');
  const left = tx.select().from(importedEntries).where(eq(importedEntries.importId, imports.id));
  await tx.delete(imports).where(and(isOne, notExists(left)));
}

/** How many entries one statement purges at most. */
const BATCH = 500;

/** Splits a list into parts that one statement can purge. */
export const purgeBatches = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / BATCH) }, (_, index) =>
    list.slice(index * BATCH, (index + 1) * BATCH),
  );

/** Purges entries whose rows are locked. */
export async function purgeLocked(tx: Transaction, purged: readonly PurgedEntry[]): Promise<void> {
  for (const batch of purgeBatches(purged)) {
    const ids = batch.map(({ entryId }) => entryId);
    await forgetWordsOfEntries(tx, ids);
    const from = await tx
      .selectDistinct({ importId: importedEntries.importId })
      .from(importedEntries)
      .where(anyOf(importedEntries.entryId, ids));
    await tx.delete(entries).where(anyOf(entries.id, ids));
    await deleteEmptyImports(
      tx,
      from.flatMap(({ importId }) => importId ?? []),
    );
    await enqueuePurge(tx, batch);
  }
}

/**
 * Has everything deleted that purged entries have in storage: now, again once their upload addresses have expired,
 * and for the last time a day later. Until then something may still arrive: an upload to a presigned address, or what
 * a job was uploading when its process was killed.
 */
export async function enqueuePurge(tx: Transaction, purged: readonly PurgedEntry[]): Promise<void> {
  await removeFromArchives(tx, purged);
  const now = Date.now();
  await enqueueEvents(
    tx,
    purged.flatMap(({ entryId, userId, uploadExpiresAt }) => {
      const event = { name: 'entry/purged', data: { entryId, userId } } as const;
      const expired = Math.max(now, uploadExpiresAt?.getTime() ?? 0);
      return [
        { id: `purged-${entryId}`, event },
        { id: `purged-again-${entryId}`, event, dueAt: new Date(expired + EXPIRY_GRACE_MS) },
        { id: `purged-at-last-${entryId}`, event, dueAt: new Date(expired + FINAL_PURGE_DELAY_MS) },
      ];
    }),
  );
}
