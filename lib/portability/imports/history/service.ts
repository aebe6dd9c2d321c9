import { and, count, desc, eq, gt, isNotNull, isNull, max, min, ne, notExists, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { type Database, db, type Transaction } from '@/db/client';
import { entries, tags } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { imports } from '@/db/schema/imports';
import { hiddenMemories } from '@/db/schema/memories';
import { vocabulary } from '@/db/schema/transcripts';
import { assertTextFits } from '@/lib/billing/plans/text-limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { deleteEmptyImports } from '@/lib/journal/entries/purge';
import type * as contract from './contract';

/** How long an import can be undone, in days: as long as the trash keeps its entries. */
const UNDO_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/** How many imports are listed at most. */
const MAX_LISTED = 100;

/** Returns until when an import can be undone. */
export const undoableUntil = (createdAt: Date) => new Date(createdAt.getTime() + UNDO_DAYS * DAY_MS);

/** Starts an import, which has no entries yet. @throws AppError `quota_reached` */
export async function createImport(
  userId: string,
  { kind, name }: z.output<typeof contract.createImport.body>,
): Promise<{ id: string }> {
  const id = uuidv7();
  await db().transaction(async (tx) => {
    await tx.insert(imports).values({ id, userId, kind, name });
    await assertTextFits(tx, userId, 'imports');
  });
  return { id };
}

/** Returns the imports of the last 30 days that have entries or were undone, newest first. */
export async function listImports(userId: string): Promise<z.output<typeof contract.listImports.response>> {
  const added = db()
    .select({
      entryCount: count().as('entry_count'),
      firstDate: min(entries.date).as('first_date'),
      lastDate: max(entries.date).as('last_date'),
    })
    .from(importedEntries)
    .innerJoin(entries, eq(entries.id, importedEntries.entryId))
    .where(
      and(
        eq(importedEntries.importId, imports.id),
        isNull(imports.undoFinishedAt),
        isNull(entries.trashedAt),
        ne(entries.videoStatus, 'uploading'),
      ),
    )
    .as('added');
  const rows = await db()
    .select({
      id: imports.id,
      kind: imports.kind,
      name: imports.name,
      createdAt: imports.createdAt,
      entryCount: added.entryCount,
      firstDate: added.firstDate,
      lastDate: added.lastDate,
      undoFinishedAt: imports.undoFinishedAt,
    })
    .from(imports)
    // For each import by index, instead of all at once.
    .crossJoinLateral(added)
    .where(
      and(
        eq(imports.userId, userId),
        gt(imports.createdAt, sql`now() - ${UNDO_DAYS} * interval '1 day'`),
        or(gt(added.entryCount, 0), isNotNull(imports.undoneAt)),
      ),
    )
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(MAX_LISTED);
  return {
    imports: rows.map(({ createdAt, undoFinishedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      undoneAt: undoFinishedAt?.toISOString() ?? null,
      undoableUntil: undoableUntil(createdAt).toISOString(),
    })),
  };
}

/**
 * Checks that an import takes more. Under the plan's lock, it stays so until the transaction ends, since an undo takes it,
 * too.
 * @throws AppError `not_found` unless it's the account's, `conflict` if it was undone
 */
export async function assertOpen(
  userId: string,
  importId: string,
  tx: Database | Transaction = db(),
): Promise<void> {
  const [found] = await tx
    .select({ undoneAt: imports.undoneAt })
    .from(imports)
    .where(and(eq(imports.id, importId), eq(imports.userId, userId)))
    .for('key share');
  if (!found) throw new AppError('not_found');
  if (found.undoneAt) throw new AppError('conflict', { message: 'This import was undone. Start a new one.' });
}

/**
 * Has an entry, whose import was interrupted, belong to the import that goes on with it. If that's the last one of the
 * earlier import, everything else that it added follows, since nothing else shows or undoes it.
 * @param from the earlier import; null if it isn't known
 */
export async function moveToImport(
  tx: Transaction,
  entryId: string,
  from: string | null,
  to: string,
): Promise<void> {
  if (from === to) return;
  await tx.update(importedEntries).set({ importId: to }).where(eq(importedEntries.entryId, entryId));
  if (from === null || (await tx.$count(importedEntries, eq(importedEntries.importId, from))) > 0) return;
  for (const table of [tags, vocabulary, hiddenMemories]) {
    await tx.update(table).set({ importId: to }).where(eq(table.importId, from));
  }
}

/** How many imports a run forgets at most. */
const BATCH = 500;

/**
 * Deletes imports that can't be undone anymore and have no entries: those that were only looked at, or whose uploads were
 * discarded.
 */
export async function deleteOldImports(): Promise<void> {
  const left = db().select().from(importedEntries).where(eq(importedEntries.importId, imports.id));
  const isOld = sql`${imports.createdAt} < now() - ${UNDO_DAYS} * interval '1 day'`;
  const old = await db()
    .select({ id: imports.id })
    .from(imports)
    .where(and(isOld, notExists(left)))
    .limit(BATCH);
  const ids = old.map(({ id }) => id);
  await db().transaction((tx) => deleteEmptyImports(tx, ids));
}
