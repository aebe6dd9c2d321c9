import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Database, db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { abortMultiparts } from '@/lib/clients/multipart';
import { deletePrefix, downloadObject, ObjectReplaced, uploadObject } from '@/lib/clients/storage-objects';
import { log } from '@/lib/foundation/log';
import { entryKey, entryPrefix, originalName } from '@/lib/journal/entries/keys';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { MediaError } from '@/lib/video/media/errors';
import type { MediaInput } from '@/lib/video/media/media-probe';
import { ffmpegTool } from './media-tool';
import { currentProcessId } from './owner-process';
import { acceptVersion } from './source-version';

/** What a step works on. */
export interface EntryStep extends EntryRef {
  /** Aborted when the step must stop. */
  signal?: AbortSignal | undefined;
  /** The attempt that may record results, if it runs as part of a job. */
  holder?: string;
}

/** Returns the folder for the files of this machine's jobs. */
export const workspaceRoot = () => path.join(tmpdir(), 'daylight-work');

/** A file of an entry that several steps read. */
type SharedFile = 'source' | 'video.mp4';

/**
 * Returns the path of the copy of an entry's file that all its jobs on this machine share. Each version has its own.
 * @param etag the version's; null for the one that storage has
 */
function cachedCopyPath(entryId: string, name: SharedFile, etag: string | null): string {
  const version = etag ? `-${createHash('sha256').update(etag).digest('hex').slice(0, 16)}` : '';
  return path.join(workspaceRoot(), `${entryId}.${name}${version}`);
}

/** Runs one step in a private folder, and removes the folder when it ends or fails. */
export async function withStepFolder<T>(entryId: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(workspaceRoot(), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(workspaceRoot(), `${entryId}.step-${currentProcessId()}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what steps need to know of an entry, also of one in the trash; undefined once it's purged. */
export async function findEntry({ entryId, userId }: EntryRef) {
  const [row] = await db()
    .select({
      bytes: entries.bytes,
      /** The version of the uploaded file that was completed, null for uploads from before that was recorded. */
      sourceEtag: entries.sourceEtag,
      storedOnce: entries.storedOnce,
      fileName: entries.fileName,
      contentType: entries.contentType,
      videoKey: entries.videoKey,
      videoStatus: entries.videoStatus,
      transcriptStatus: entries.transcriptStatus,
      trashedAt: entries.trashedAt,
    })
    .from(entries)
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
  return row;
}

/** Returns the same of an entry that's neither in the trash nor purged. */
export async function findActiveEntry(entry: EntryRef) {
  const row = await findEntry(entry);
  return row?.trashedAt ? undefined : row;
}

/**
 * Returns the path of an entry's uploaded file or final video in a step's private folder, since ffmpeg sees nothing
 * else. All steps on one machine share a download. Each gets its own hard link, so the shared copy may be removed at
 * any time. The uploaded file is always the version that was completed, even if someone uploaded another to the same
 * key.
 * @throws MediaError `replaced` if storage no longer has that version, `source_missing` if it has no such object,
 * `disk_full` if there's no space for it
 */
export async function fetchEntryFile(entry: EntryStep, name: SharedFile, folder: string): Promise<string> {
  const own = path.join(folder, name === 'source' ? 'source' : 'final');
  for (;;) {
    const upload = name === 'source' ? await findEntry(entry) : undefined;
    const stored = upload ? originalName(upload) : name;
    // Nobody else has an address of the video.
    const etag = stored === 'source' ? (upload?.sourceEtag ?? null) : null;
    const shared = cachedCopyPath(entry.entryId, stored, etag);
    try {
      await link(shared, own);
      return own;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    const { bavail, bsize } = await statfs(folder);
    const bytes = upload?.bytes ?? 0;
    if (bavail * bsize < bytes)
      throw new MediaError('disk_full', `${bytes} bytes don't fit in the temporary folder`);
    // Under a separate name until it's complete, since two jobs may download it at the same time.
    const key = entryKey(entry.userId, entry.entryId, stored);
    const part = path.join(folder, 'part');
    const found = await downloadObject(key, shared, { part, etag, signal: entry.signal }).catch(
      async (error: unknown) => {
        if (!(error instanceof ObjectReplaced)) throw error;
        if (await acceptVersion(entry)) return true;
        throw new MediaError('replaced', error.message);
      },
    );
    if (found) continue;
    // The upload may have been deleted because it's the video now.
    const isMoved = stored === 'source' && (await findEntry(entry))?.storedOnce;
    if (!isMoved) throw new MediaError('source_missing', 'storage has no such object');
  }
}

/**
 * Runs a step's work on one of its entry's files, as {@link fetchEntryFile} does, in a private folder. Looks for ffmpeg
 * before it downloads anything. @throws MediaError
 */
export async function withEntryFile<T>(
  entry: EntryStep,
  name: SharedFile,
  work: (found: Omit<MediaInput, 'source'> & { folder: string }) => Promise<T>,
): Promise<T> {
  const tool = await ffmpegTool();
  return withStepFolder(entry.entryId, async (folder) =>
    work({ tool, folder, input: await fetchEntryFile(entry, name, folder), signal: entry.signal }),
  );
}

/**
 * Removes this machine's shared copies of an entry's files, or of one of them; without an entry, of all entries' files,
 * which makes space: in a function, most were left by steps whose runs went on elsewhere. Running steps keep their own
 * links; a later one downloads its file again.
 */
export async function removeCachedCopies(entryId?: string, name: SharedFile | '' = ''): Promise<void> {
  const prefix = entryId ? `${entryId}.${name}` : '';
  for (const found of await readdir(workspaceRoot()).catch(() => [])) {
    const isShared = found.startsWith(prefix) && !found.includes('.step-');
    if (isShared) await rm(path.join(workspaceRoot(), found), { force: true });
  }
}

/** The condition for what a step records: its entry is active, and no other attempt has taken over. */
function mayRecord({ userId, entryId, holder }: EntryStep): SQL | undefined {
  const holds = sql`exists (select from ${entryJobs}
    where ${entryJobs.entryId} = ${entries.id} and ${entryJobs.holder} = ${holder})`;
  return and(ownedEntry(userId, entryId), holder === undefined ? undefined : holds);
}

/**
 * Updates the row of an active entry.
 * @param only a further condition on the row
 * @returns false if the entry is in the trash or purged, or the step no longer holds its job
 */
export async function updateActiveEntry(
  step: EntryStep,
  values: PgUpdateSetSource<typeof entries>,
  { tx = db(), only }: { tx?: Database | Transaction; only?: SQL } = {},
): Promise<boolean> {
  const changed = await tx
    .update(entries)
    .set(values)
    .where(and(mayRecord(step), only))
    .returning({ id: entries.id });
  return changed.length > 0;
}

/**
 * Uploads the files that a step made, then records them. The entry may be removed at any moment, so this deletes what
 * it uploaded if the entry has been purged. An entry in the trash keeps its objects: the step may have overwritten one
 * that a restore needs.
 * @param made the files, and the objects to store them as
 * @param record updates the row of an active entry, and returns whether there was one
 * @returns whether it was recorded
 */
export async function publishFiles(
  entry: EntryStep,
  made: readonly { name: Parameters<typeof entryKey>[2]; file: string; contentType: string }[],
  record: () => Promise<boolean>,
): Promise<boolean> {
  try {
    for (const { name, file, contentType } of made) {
      const { signal } = entry;
      await uploadObject(file, entryKey(entry.userId, entry.entryId, name), contentType, { signal });
    }
    if (await record()) return true;
  } catch (error) {
    await deleteObjectsIfPurged(entry).catch((err: unknown) =>
      log.warn({ err, entryId: entry.entryId }, 'publish: could not check whether the entry was purged'),
    );
    throw error;
  }
  await deleteObjectsIfPurged(entry);
  return false;
}

/** Deletes everything in storage that belongs to an entry if its row is gone. */
export async function deleteObjectsIfPurged(entry: EntryRef): Promise<void> {
  if (!(await findEntry(entry))) await purgeObjects(entry);
}

/** Deletes everything in storage that belongs to an entry, including parts of an upload. @returns how many objects */
export async function purgeObjects({ entryId, userId }: EntryRef): Promise<number> {
  await abortMultiparts(entryKey(userId, entryId, 'source'));
  return deletePrefix(entryPrefix(userId, entryId));
}
