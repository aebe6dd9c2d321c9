import { v7 as uuidv7 } from 'uuid';
import { checksummedFile } from '@/lib/entries/checksums';
import { beginMultipart } from '@/lib/services/multipart';
import { ObjectWriter } from '@/lib/services/object-writer';
import { ArchiveLayout, writeSegments } from './archive-layout';
import { entriesWithoutChecksums } from './archived-entries';
import { composeArchive } from './compose';
import { currentExport, type ExportRun, ExportStopped, layoutKeys, progressReporter } from './run';
import type { Scope } from './scope';
import type { StepTime } from './step';
import { deleteLayout, recordLayout } from './stored-layout';

/** Shares of the progress, in thousandths: reading videos that have no checksums yet, and laying out. */
const CHECKSUMS_UNTIL = 300;
export const LAYOUT_UNTIL = 350;

/**
 * Computes the checksums that an archive needs and that aren't recorded yet: those of videos that were processed
 * before checksums were. A ZIP file has them in front of each member.
 * @returns 'unfinished' if its time is up
 */
export async function prepareChecksums(run: ExportRun, time: StepTime): Promise<'done' | 'unfinished'> {
  const row = await currentExport(run);
  const report = progressReporter(run);
  let after: string | null = null;
  for (let count = 0; ; ) {
    const missing = await entriesWithoutChecksums(run.userId, row, after);
    for (const { entryId, isReady } of missing) {
      if (performance.now() > time.deadline) return 'unfinished';
      // The number of entries that are left isn't known. This comes close to the end, and never gets there.
      await report(CHECKSUMS_UNTIL * (1 - 1 / (1 + count / 50)));
      const ref = { userId: run.userId, entryId };
      await checksummedFile(ref, 'source', time.signal);
      if (isReady) await checksummedFile(ref, 'video.mp4', time.signal);
      count += 1;
      after = entryId;
    }
    if (missing.length === 0) return 'done';
  }
}

/**
 * Lays out the archive, from the journal as it is now, unless it's laid out: a run that's started again goes on with
 * what the one before it has done.
 * @throws ExportStopped
 */
export async function layOut(run: ExportRun, { signal }: StepTime): Promise<void> {
  const row = await currentExport(run);
  if (row.layoutId) return;
  const layoutId = uuidv7();
  try {
    const layout = await writeLayout(run, { scope: row, layoutId, signal });
    if (!(await recordLayout(run, { layoutId, ...layout }))) await deleteLayout(run, layoutId);
  } catch (error) {
    // If that fails too, it's deleted with what's left when the archive is ready.
    await deleteLayout(run, layoutId).catch(() => undefined);
    throw error;
  }
}

/** Writes a layout to storage, and begins the upload of the archive. @throws ExportStopped if the account is gone */
async function writeLayout(
  run: ExportRun,
  { scope, layoutId, signal }: { scope: Scope; layoutId: string; signal: AbortSignal },
) {
  const report = progressReporter(run);
  const keys = layoutKeys(run, layoutId);
  const text = await ObjectWriter.open(keys.text, 'application/octet-stream', signal);
  const layout = await ArchiveLayout.begin(text);
  const entries = await composeArchive(layout, run.userId, scope, {
    signal,
    onEntry: () => report(CHECKSUMS_UNTIL),
  });
  if (entries === null) throw new ExportStopped();
  await text.close();
  const segments = await ObjectWriter.open(keys.segments, 'application/x-ndjson', signal);
  await segments.write(Buffer.from(writeSegments(layout.segments)));
  await segments.close();
  return { multipartId: await beginMultipart(keys.archive, 'application/zip'), bytes: layout.bytes };
}
