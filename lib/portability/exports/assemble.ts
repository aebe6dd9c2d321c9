import { and, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import { completeMultipart, listParts, putPart } from '@/lib/clients/multipart';
import { headObject, ObjectReplaced, readObject } from '@/lib/clients/storage-objects';
import { readRange } from '@/lib/clients/storage-ranges';
import { parseSegments, piecesOf } from './archive-layout';
import { exportReadyMail, mailOwner } from './mails';
import { LAYOUT_UNTIL } from './prepare';
import {
  currentExport,
  deleteLeftovers,
  discardLayout,
  type ExportRun,
  ExportStopped,
  isMadeBy,
  type Layout,
  layoutKeys,
  progressReporter,
} from './run';
import type { StepTime } from './step';

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
/** How many bytes of parts are in memory at once, and how many parts. */
const MEMORY_BYTES = 24 * MIB;
const PARALLEL_PARTS = 3;
/** S3 takes 10,000. */
const MAX_PARTS = 9_000;

/** How many days an archive can be downloaded. */
const EXPORT_DAYS = 7;

/** `changed`: something in the layout is gone from storage, so the archive has to be laid out again. */
type Assembled = 'done' | 'unfinished' | 'changed';

/** Splits an archive into parts. R2 wants all but the last one to be equal. */
function partsOf(bytes: number) {
  const size = Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS / MIB) * MIB);
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => ({
    number: index + 1,
    start: index * size,
    length: Math.min(size, bytes - index * size),
  }));
}

/** Returns the numbers of the parts that have arrived; null if the upload is gone. */
async function arrivedParts(key: string, multipartId: string, parts: ReturnType<typeof partsOf>) {
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
  const { layoutId, multipartId, bytes } = await currentExport(run);
  if (!layoutId || !multipartId || bytes === null) return 'changed';
  const state = await assembleLayout(run, { layoutId, multipartId, bytes }, time);
  if (state === 'changed') await discardLayout(run, layoutId);
  return state;
}

async function assembleLayout(
  run: ExportRun,
  { layoutId, multipartId, bytes }: Layout,
  { deadline, signal }: StepTime,
): Promise<Assembled> {
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
  const partBytes = parts[0]?.length ?? 0;
  const sendParts = async () => {
    // One for all parts, one after the other: garbage of this size is collected late.
    const buffer = Buffer.allocUnsafeSlow(partBytes);
    for (const part of missing) {
      if (isFailed || signal.aborted || performance.now() > deadline) return;
      let at = 0;
      for (const { object, ...range } of piecesOf(segments, text, part)) {
        for await (const chunk of readRange(object, range, signal)) at += chunk.copy(buffer, at);
      }
      const body = buffer.subarray(0, part.length);
      arrived.set(part.number, await putPart({ key: keys.archive, multipartId }, part.number, body, signal));
      await report(LAYOUT_UNTIL + ((1000 - LAYOUT_UNTIL) * arrived.size) / parts.length);
    }
  };
  // Until all of them have ended, so that none sends a part of a layout that's discarded.
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(Math.max(Math.floor(MEMORY_BYTES / partBytes), 1), PARALLEL_PARTS) }, () =>
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
