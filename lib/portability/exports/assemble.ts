import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { completeMultipart, listParts, putPart } from '@/lib/clients/multipart';
import { headObject, ObjectReplaced, readObject } from '@/lib/clients/storage-objects';
import { type ObjectVersion, readRange } from '@/lib/clients/storage-ranges';
import { parseSegments, piecesOf, type Segment } from './archive-layout';
import { exportReadyMail, mailOwner } from './mails';
import { LAYOUT_UNTIL } from './prepare';
import { currentExport, type ExportRun, ExportStopped, isMadeBy, layoutKeys, progressReporter } from './run';
import type { StepTime } from './step';
import { deleteLeftovers, discardLayout } from './stored-layout';

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
/** How many bytes of parts are in memory at once, and how many parts. */
const MEMORY_BYTES = 24 * MIB;
const PARALLEL_PARTS = 3;
/** S3 takes 10,000. */
const MAX_PARTS = 9_000;

/** How many days an archive can be downloaded. */
const EXPORT_DAYS = 7;

/** Returns the size of an archive's parts in bytes; R2 wants all but the last one to be equal. */
const partBytes = (archiveBytes: number) =>
  Math.max(PART_BYTES, Math.ceil(archiveBytes / MAX_PARTS / MIB) * MIB);

/** Returns how many parts of this size are sent at once. */
const parallelParts = (bytes: number) =>
  Math.min(Math.max(Math.floor(MEMORY_BYTES / bytes), 1), PARALLEL_PARTS);

/** `changed`: something in the layout is gone from storage, so the archive has to be laid out again. */
type Assembled = 'done' | 'unfinished' | 'changed';

interface Part {
  number: number;
  start: number;
  length: number;
}

function partsOf(bytes: number): Part[] {
  const size = partBytes(bytes);
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    number: index + 1,
    start: index * size,
    length: Math.min(size, bytes - index * size),
  }));
}

/** Reads a part's bytes. */
async function readPart(
  segments: readonly Segment[],
  text: ObjectVersion,
  part: Part,
  { into, signal }: { into: Buffer; signal: AbortSignal },
): Promise<void> {
  let at = 0;
  for (const { object, start, length } of piecesOf(segments, text, part)) {
    for await (const chunk of readRange(object, { start, length }, signal)) at += chunk.copy(into, at);
  }
}

/** Returns the numbers of the parts that have arrived; null if the upload is gone. */
async function arrivedParts(key: string, multipartId: string, parts: readonly Part[]) {
  const arrived = await listParts(key, multipartId);
  if (!arrived) return null;
  return new Map(
    arrived
      .filter(({ number, size }) => parts[number - 1]?.length === size)
      .map((part) => [part.number, part]),
  );
}

/**
 * Assembles the archive in storage from its layout, part by part. Parts that have arrived stay, so an attempt that's
 * killed is continued where it was. A layout that has changed is discarded.
 * @throws ExportStopped
 */
export async function assemble(run: ExportRun, time: StepTime): Promise<Assembled> {
  const row = await currentExport(run);
  if (!row.layoutId) return 'changed';
  const state = await assembleLayout(run, row, time);
  if (state === 'changed') await discardLayout(run, row.layoutId);
  return state;
}

async function assembleLayout(
  run: ExportRun,
  { layoutId, multipartId, bytes }: Awaited<ReturnType<typeof currentExport>>,
  { deadline, signal }: StepTime,
): Promise<Assembled> {
  if (!layoutId || !multipartId || bytes === null) return 'changed';
  const keys = layoutKeys(run, layoutId);
  const parts = partsOf(bytes);
  const list = await readObject(keys.segments);
  const arrived = await arrivedParts(keys.archive, multipartId, parts);
  // Once it's complete, its upload is gone.
  if (!arrived) return (await isComplete(keys.archive, bytes)) ? 'done' : 'changed';
  if (!list) return 'changed';
  const segments = parseSegments(list.toString());
  const text = { key: keys.text, etag: null };
  const report = progressReporter(run);
  const missing = parts.filter(({ number }) => !arrived.has(number)).values();
  let isFailed = false;
  const sendParts = async () => {
    // One for all parts, one after the other: garbage of this size is collected late.
    const buffer = Buffer.allocUnsafeSlow(parts[0]?.length ?? 0);
    for (const part of missing) {
      if (isFailed || signal.aborted || performance.now() > deadline) return;
      await readPart(segments, text, part, { into: buffer, signal });
      const body = buffer.subarray(0, part.length);
      arrived.set(part.number, await putPart({ key: keys.archive, multipartId }, part.number, body, signal));
      await report(LAYOUT_UNTIL + ((1000 - LAYOUT_UNTIL) * arrived.size) / parts.length);
    }
  };
  // Until all of them have ended, so that none sends a part of a layout that's discarded.
  const ended = await Promise.allSettled(
    Array.from({ length: parallelParts(partBytes(bytes)) }, () =>
      sendParts().catch((error: unknown) => {
        isFailed = true;
        throw error;
      }),
    ),
  );
  const errors = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (errors.some((error) => error instanceof ObjectReplaced)) return 'changed';
  if (errors.length > 0) throw errors[0];
  signal.throwIfAborted();
  if (arrived.size < parts.length) return 'unfinished';
  const ordered = [...arrived.values()].sort((one, other) => one.number - other.number);
  await completeMultipart(keys.archive, multipartId, ordered);
  return (await isComplete(keys.archive, bytes)) ? 'done' : 'changed';
}

async function isComplete(key: string, bytes: number): Promise<boolean> {
  return (await headObject(key))?.size === bytes;
}

/**
 * Announces an archive that's complete, and deletes what it was made from, also if an earlier attempt has announced it.
 * @returns 'changed' if storage has lost it, so that it has to be laid out again
 * @throws ExportStopped
 */
export async function announce(run: ExportRun): Promise<'done' | 'changed'> {
  const isOwn = and(eq(exports.id, run.exportId), eq(exports.generation, run.generation));
  const [row] = await db().select().from(exports).where(isOwn);
  if (!row?.layoutId || row.status === 'failed') throw new ExportStopped();
  const { layoutId } = row;
  if (row.status === 'preparing') {
    if (!(await isComplete(layoutKeys(run, layoutId).archive, row.bytes ?? 0))) {
      await discardLayout(run, layoutId);
      return 'changed';
    }
    await setReady(run, layoutId);
  }
  await deleteLeftovers(run, layoutId);
  return 'done';
}

/** @throws ExportStopped */
async function setReady(run: ExportRun, layoutId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [ready] = await tx
      .update(exports)
      .set({
        status: 'ready',
        progress: 1000,
        multipartId: null,
        expiresAt: sql`now() + ${EXPORT_DAYS} * interval '1 day'`,
      })
      .where(and(isMadeBy(run), eq(exports.layoutId, layoutId)))
      .returning({ bytes: exports.bytes, notify: exports.notify });
    if (!ready) throw new ExportStopped();
    if (ready.notify) await mailOwner(tx, run.userId, (user) => exportReadyMail(user, ready.bytes ?? 0));
  });
}
