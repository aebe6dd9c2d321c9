import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { abortMultiparts, abortMultipartsUnder } from '@/lib/clients/multipart';
import { listObjects } from '@/lib/clients/storage-listing';
import { deleteObject } from '@/lib/clients/storage-objects';
import { currentExport, type ExportRef, type ExportRun, exportPrefix, isMadeBy, layoutKeys } from './run';

/** An archive that's laid out, and the upload that it's assembled in. */
interface Layout {
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
