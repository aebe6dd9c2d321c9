import { v7 as uuidv7 } from 'uuid';
import { checksummedFile } from '@/lib/entries/checksums';
import { beginMultipart } from '@/lib/services/multipart';
import { ObjectWriter } from '@/lib/services/object-writer';
import { ArchiveLayout, writeSegments } from './archive-layout';
import { entriesWithoutChecksums } from './archived-entries';
import { composeArchive } from './compose';
import {
  currentExport,
  type ExportRun,
  ExportStopped,
  layoutKeys,
  progressReporter,
  recordExport,
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
    for (const { entryId, isReady } of missing) {
      if (performance.now() > time.deadline) return 'unfinished';
      // The number of entries that are left isn't known. This comes close to the end, and never gets there.
      await report(Math.max(row.progress, CHECKSUMS_UNTIL * (1 - 1 / (1 + count / 50))));
      const ref = { userId: run.userId, entryId };
      await checksummedFile(ref, 'source', time.signal);
      if (isReady) await checksummedFile(ref, 'video.mp4', time.signal);
      count += 1;
      after = entryId;
    }
    if (missing.length === 0) return 'done';
  }
}

/** Lays out the archive, from the journal as it is now. Another layout of it is given up. */
export async function layOut(run: ExportRun, { signal }: StepTime): Promise<void> {
  const row = await currentExport(run);
  const report = progressReporter(run);
  const layoutId = uuidv7();
  const keys = layoutKeys(run, layoutId);
  const text = await ObjectWriter.open(keys.text, 'application/octet-stream', signal);
  const layout = await ArchiveLayout.begin(text);
  const entries = await composeArchive(layout, run.userId, row, {
    signal,
    onEntry: () => report(CHECKSUMS_UNTIL),
  });
  if (entries === null) throw new ExportStopped();
  await text.close();
  const segments = await ObjectWriter.open(keys.segments, 'application/x-ndjson', signal);
  await segments.write(Buffer.from(writeSegments(layout.segments)));
  await segments.close();
  const multipartId = await beginMultipart(keys.archive, 'application/zip');
  await recordExport(run, { layoutId, multipartId, bytes: layout.bytes, progress: LAYOUT_UNTIL });
}
