import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockPlan } from '@/lib/billing/plans/service';
import { presignDownload } from '@/lib/clients/storage';
import { AppError } from '@/lib/foundation/contract/errors';
import { attachment } from '@/lib/foundation/http/content-disposition';
import { entryFileName } from '@/lib/journal/entries/file-names';
import { countAttempt } from '@/lib/limits/service';
import { deleteExports, requestExports } from '@/lib/messaging/outbox/export-jobs';
import type * as contract from './contract';
import { layoutKeys } from './run';
import { inScope, type Scope } from './scope';

/** How many archives an account may have at once: this many of its journal, and this many of selected entries. */
const MAX_EXPORTS = 3;

const BUSY = `${MAX_EXPORTS} downloads are already being prepared. Wait until one is ready, or cancel one in Settings.`;

/** How long a download's URL works, in seconds. A download that breaks can go on for that long. */
const DOWNLOAD_SECONDS = 12 * 3600;

type Row = typeof exports.$inferSelect;

function present(row: Row): contract.Export {
  return {
    id: row.id,
    status: row.status,
    error: row.error,
    progress: row.progress / 1000,
    bytes: row.bytes,
    fileName: row.fileName,
    fromYear: row.fromYear,
    toYear: row.toYear,
    entries: row.entryIds?.length ?? null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

/** Returns the name to download an archive under. */
function archiveName(scope: Scope, selected: { date: string; title: string }[], today: string): string {
  const { entryIds, fromYear, toYear } = scope;
  const [only] = selected;
  if (entryIds && only && selected.length === 1) return entryFileName(only, 'zip');
  if (entryIds) return `Daylight ${today}, ${selected.length} entries.zip`;
  if (fromYear === null && toYear === null) return `Daylight ${today}.zip`;
  if (fromYear === toYear) return `Daylight ${fromYear}.zip`;
  if (fromYear === null) return `Daylight through ${toYear}.zip`;
  return toYear === null ? `Daylight since ${fromYear}.zip` : `Daylight ${fromYear}-${toYear}.zip`;
}

/** Returns the dates and titles of selected entries. @throws AppError `not_found` unless all of them are in the list */
async function selectedEntries(tx: Transaction, userId: string, scope: Scope) {
  if (!scope.entryIds) return [];
  const rows = await tx
    .select({ date: entries.date, title: entries.title })
    .from(entries)
    .where(inScope(userId, scope));
  if (rows.length < scope.entryIds.length) throw new AppError('not_found');
  return rows;
}

/** Matches the archives of an account that have the same scope. */
const hasScope = (userId: string, { entryIds, fromYear, toYear }: Scope) =>
  and(
    eq(exports.userId, userId),
    sql`${exports.entryIds} is not distinct from ${entryIds && sql.param(entryIds, exports.entryIds)}::uuid[]`,
    sql`${exports.fromYear} is not distinct from ${fromYear}::int`,
    sql`${exports.toYear} is not distinct from ${toYear}::int`,
  );

/**
 * Deletes the oldest archives to make way for one more. Selections make way for selections only, so that a few small
 * ones don't cost anyone the whole journal.
 * @throws AppError `conflict` if too many are being prepared, since those don't make way
 */
async function makeWay(tx: Transaction, userId: string, { entryIds }: Scope): Promise<void> {
  const others = await tx
    .select({ id: exports.id, status: exports.status })
    .from(exports)
    .where(and(eq(exports.userId, userId), (entryIds ? isNotNull : isNull)(exports.entryIds)))
    .orderBy(desc(exports.createdAt), desc(exports.id));
  const replaceable = others.filter(({ status }) => status !== 'preparing');
  const free = MAX_EXPORTS - 1 - (others.length - replaceable.length);
  if (free < 0) throw new AppError('conflict', { message: BUSY });
  const oldest = replaceable.slice(free).map(({ id }) => id);
  if (oldest.length > 0) await deleteExports(tx, anyOf(exports.id, oldest));
}

/**
 * Starts preparing an archive, unless one with the same scope is being prepared already. Needs the lock of the plan, so
 * that two requests at once don't start the same archive twice.
 * @returns the archive, whichever it is
 */
async function begin(tx: Transaction, wanted: Parameters<typeof requestExports>[1][number]): Promise<Row> {
  const { userId, notify } = wanted;
  const [running] = await tx
    .update(exports)
    .set({ notify: sql`${exports.notify} or ${notify}` })
    .where(and(hasScope(userId, wanted), eq(exports.status, 'preparing')))
    .returning();
  if (running) return running;
  await makeWay(tx, userId, wanted);
  const [row] = await requestExports(tx, [wanted]);
  if (!row) throw new AppError('internal');
  const kind = wanted.entryIds ? 'export.selection-requested' : 'export.requested';
  await recordAuditEvent(kind, { userId }, tx);
  return row;
}

/**
 * Starts preparing an archive. One with the same scope that's being prepared is returned instead, and the oldest
 * archives make way for it.
 * @throws AppError `not_found` if a selected entry doesn't exist, `conflict` if too many are being prepared,
 * `rate_limited`
 */
export async function createExport(
  userId: string,
  wanted: z.output<typeof contract.createExport.body>,
): Promise<contract.Export> {
  const { fromYear = null, toYear = null, entries: ids, notify } = wanted;
  const entryIds = ids ? [...new Set(ids)].sort() : null;
  const scope: Scope = { entryIds, fromYear, toYear };
  await countAttempt('export', { subject: userId, client: '' });
  return db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const selected = await selectedEntries(tx, userId, scope);
    const fileName = archiveName(scope, selected, new Date().toISOString().slice(0, 10));
    return present(await begin(tx, { userId, ...scope, fileName, notify }));
  });
}

/**
 * Prepares an archive that failed again, as a new one.
 * @throws AppError `not_found`, also if it hasn't failed; `conflict` if too many are being prepared; `rate_limited`
 */
export async function retryExport(userId: string, exportId: string): Promise<contract.Export> {
  await countAttempt('export', { subject: userId, client: '' });
  return db().transaction(async (tx) => {
    await lockPlan(tx, userId);
    const failed = and(eq(exports.id, exportId), eq(exports.userId, userId), eq(exports.status, 'failed'));
    const [row] = await deleteExports(tx, failed);
    if (!row) throw new AppError('not_found');
    return present(await begin(tx, row));
  });
}

/** Returns an account's archives, newest first. */
export async function listExports(userId: string): Promise<contract.Export[]> {
  const rows = await db()
    .select()
    .from(exports)
    .where(eq(exports.userId, userId))
    .orderBy(desc(exports.createdAt), desc(exports.id));
  return rows.map(present);
}

async function ownExport(userId: string, exportId: string): Promise<Row> {
  const [row] = await db()
    .select()
    .from(exports)
    .where(and(eq(exports.id, exportId), eq(exports.userId, userId)));
  if (!row) throw new AppError('not_found');
  return row;
}

/** Returns an archive's state. @throws AppError `not_found` */
export async function getExport(userId: string, exportId: string): Promise<contract.Export> {
  return present(await ownExport(userId, exportId));
}

/** Returns a signed URL to download an archive from. @throws AppError `not_found`, also if it isn't ready */
export async function exportAddress(userId: string, exportId: string): Promise<string> {
  const row = await ownExport(userId, exportId);
  if (row.status !== 'ready' || !row.layoutId) throw new AppError('not_found');
  const { archive } = layoutKeys({ userId, exportId }, row.layoutId);
  const options = { disposition: attachment(row.fileName), seconds: DOWNLOAD_SECONDS };
  const { url } = await presignDownload(archive, 'application/zip', options);
  return url;
}

/** Deletes an archive, or stops preparing it. @throws AppError `not_found` */
export async function deleteExport(userId: string, exportId: string): Promise<void> {
  const own = and(eq(exports.id, exportId), eq(exports.userId, userId));
  const deleted = await db().transaction((tx) => deleteExports(tx, own));
  if (deleted.length === 0) throw new AppError('not_found');
}
