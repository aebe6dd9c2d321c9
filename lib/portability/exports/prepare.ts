import { v7 as uuidv7 } from 'uuid';
import { beginMultipart, ObjectWriter } from '@/lib/clients/multipart';
import { checksummedFile, selectKnownFiles } from '@/lib/journal/entries/checksums';
import { ArchiveLayout, writeSegments } from './archive-layout';
import { entriesWithoutChecksums } from './archived-entries';
import { composeArchive } from './compose';
import {
  currentExport,
  deleteLayout,
  type ExportRun,
  layoutKeys,
  progressReporter,
  recordLayout,
} from './run';
import type { StepTime } from './step';

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
    const known = await selectKnownFiles(missing.map(({ entryId }) => entryId));
    for (const { entryId, isReady, storedOnce } of missing) {
      if (performance.now() > time.deadline) return 'unfinished';
      // The number of entries that are left isn't known. This comes close to the end, and never gets there.
      const progress = CHECKSUMS_UNTIL * (1 - 1 / (1 + count / 50));
      const reading = { signal: time.signal, onChunk: () => report(progress) };
      await report(progress);
      const ref = { userId: run.userId, entryId, storedOnce };
      const files = known.get(entryId) ?? {};
      await checksummedFile(ref, 'source', files, reading);
      if (isReady) await checksummedFile(ref, 'video.mp4', files, reading);
      count += 1;
      after = entryId;
    }
    if (missing.length === 0) return 'done';
  }
}

/**
 * Lays out the archive in storage, from the journal as it is now, and begins its upload, unless it's laid out: a run that's
 * started again goes on with what the one before it has done.
 * @throws ExportStopped
 */
export async function layOut(run: ExportRun, { signal }: StepTime): Promise<void> {
  const row = await currentExport(run);
  if (row.layoutId) return;
  const layoutId = uuidv7();
  const keys = layoutKeys(run, layoutId);
  const report = progressReporter(run);
  try {
    const text = await ObjectWriter.open(keys.text, 'application/octet-stream', signal);
    const layout = new ArchiveLayout(text);
    await composeArchive(layout, run.userId, row, {
      signal,
      onProgress: (share) => report(CHECKSUMS_UNTIL + (LAYOUT_UNTIL - CHECKSUMS_UNTIL) * share),
    });
    await text.close();
    const segments = await ObjectWriter.open(keys.segments, 'application/x-ndjson', signal);
    await segments.write(Buffer.from(writeSegments(layout.segments)));
    await segments.close();
    const multipartId = await beginMultipart(keys.archive, 'application/zip');
    const isRecorded = await recordLayout(run, { layoutId, multipartId, bytes: layout.bytes });
    if (!isRecorded) await deleteLayout(run, layoutId);
  } catch (error) {
    // If that fails too, it's deleted with what's left when the archive is ready.
    await deleteLayout(run, layoutId).catch(() => undefined);
    throw error;
  }
}
