import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { abortMultiparts, abortMultipartsUnder } from '@/lib/clients/multipart';
import { listObjects } from '@/lib/clients/storage-listing';
import { deleteObject, deletePrefix } from '@/lib/clients/storage-objects';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';

/** An archive, and whose it is. */
export interface ExportRef {
  exportId: string;
  userId: string;
}

/** How many archives are prepared at once. Each holds a few parts in memory. */
export const PARALLEL_EXPORTS = 2;

/** A run of an archive's job. */
export interface ExportRun extends ExportRef {
  generation: number;
}

/** Thrown to end a run that has nothing left to do: its archive was deleted, or a later run makes it. */
export class ExportStopped extends Error {
  constructor() {
    super('the archive was deleted, or another run makes it');
    this.name = 'ExportStopped';
    withSafeMessage(this);
  }
}

/** Everything of an archive lies below this prefix. */
export function exportPrefix({ userId, exportId }: ExportRef): string {
  return `exports/${userId}/${exportId}/`;
}

/** Object keys of a layout: its list of segments, what isn't in storage otherwise, and the archive itself. */
export function layoutKeys(ref: ExportRef, layoutId: string) {
  const base = `${exportPrefix(ref)}${layoutId}`;
  return { segments: `${base}.segments`, text: `${base}.text`, archive: `${base}.zip` };
}

/** Matches the row of an archive that this run makes. */
export const isMadeBy = ({ exportId, userId, generation }: ExportRun) =>
  and(
    eq(exports.id, exportId),
    eq(exports.userId, userId),
    eq(exports.generation, generation),
    eq(exports.status, 'preparing'),
  );

/** Returns the row of an archive that this run makes. @throws ExportStopped */
export async function currentExport(run: ExportRun) {
  const [row] = await db().select().from(exports).where(isMadeBy(run));
  if (!row) throw new ExportStopped();
  return row;
}

/**
 * Returns a function that records that the run is alive, and how much of the archive is done, in thousandths, at most every
 * two seconds.
 * @throws ExportStopped
 */
export function progressReporter(run: ExportRun): (progress: number) => Promise<void> {
  let nextAt = 0;
  return async (progress) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + 2000;
    const recorded = await db()
      .update(exports)
      // What's laid out or read again was counted before.
      .set({ progress: sql`greatest(${exports.progress}, ${Math.floor(progress)}::int)`, beatAt: sql`now()` })
      .where(isMadeBy(run))
      .returning({ id: exports.id });
    if (recorded.length === 0) throw new ExportStopped();
  };
}

/** An archive that's laid out, and the upload that it's assembled in. */
export interface Layout {
  layoutId: string;
  multipartId: string;
  /** The archive's size. */
  bytes: number;
}

/**
 * Records a layout, unless another attempt of the step was faster: the archive may be assembled from that one by now.
 * @returns whether it's this one
 * @throws ExportStopped
 */
export async function recordLayout(run: ExportRun, layout: Layout): Promise<boolean> {
  const recorded = await db()
    .update(exports)
    .set(layout)
    .where(and(isMadeBy(run), isNull(exports.layoutId)))
    .returning({ id: exports.id });
  if (recorded.length > 0) return true;
  await currentExport(run);
  return false;
}

/** Deletes what a layout that no row refers to has in storage. */
export async function deleteLayout(ref: ExportRef, layoutId: string): Promise<void> {
  for (const key of Object.values(layoutKeys(ref, layoutId))) {
    await abortMultiparts(key);
    await deleteObject(key);
  }
}

/** Discards an archive's layout, so that it's laid out again. Not if another attempt has done so already. */
export async function discardLayout(run: ExportRun, layoutId: string): Promise<void> {
  const discarded = await db()
    .update(exports)
    .set({ layoutId: null, multipartId: null, bytes: null })
    .where(and(isMadeBy(run), eq(exports.layoutId, layoutId)))
    .returning({ id: exports.id });
  // After the row, so that nothing that's still assembled or downloaded is deleted.
  if (discarded.length > 0) await deleteLayout(run, layoutId);
}

/** Deletes everything but the archive itself: what it was made from, and what attempts that were killed left. */
export async function deleteLeftovers(ref: ExportRef, layoutId: string): Promise<void> {
  const { archive } = layoutKeys(ref, layoutId);
  await abortMultipartsUnder(exportPrefix(ref));
  for await (const page of listObjects(exportPrefix(ref))) {
    for (const { key } of page) if (key !== archive) await deleteObject(key);
  }
}

/** Deletes everything in storage that belongs to an archive. @returns how many objects */
export async function deleteExportObjects(ref: ExportRef): Promise<number> {
  await abortMultipartsUnder(exportPrefix(ref));
  return deletePrefix(exportPrefix(ref));
}
