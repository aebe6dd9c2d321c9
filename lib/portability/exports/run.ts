import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { abortMultipartsUnder } from '@/lib/clients/multipart';
import { deletePrefix } from '@/lib/clients/storage-objects';
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

/** Records that the run is alive, and how much of the archive is done, in thousandths. @throws ExportStopped */
async function recordProgress(run: ExportRun, progress: number): Promise<void> {
  const kept = await db()
    .update(exports)
    // What's laid out or read again was counted before.
    .set({ progress: sql`greatest(${exports.progress}, ${Math.floor(progress)}::int)`, beatAt: sql`now()` })
    .where(isMadeBy(run))
    .returning({ id: exports.id });
  if (kept.length === 0) throw new ExportStopped();
}

/** Records that the run is alive, if it still makes the archive. */
export async function beat(run: ExportRun): Promise<void> {
  await db().update(exports).set({ beatAt: sql`now()` }).where(isMadeBy(run));
}

/** Returns a function that records progress, at most every two seconds. @throws ExportStopped */
export function progressReporter(run: ExportRun): (progress: number) => Promise<void> {
  let nextAt = 0;
  return async (progress) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + 2000;
    await recordProgress(run, progress);
  };
}

/** Deletes everything in storage that belongs to an archive. @returns how many objects */
export async function deleteExportObjects(ref: ExportRef): Promise<number> {
  await abortMultipartsUnder(exportPrefix(ref));
  return deletePrefix(exportPrefix(ref));
}
