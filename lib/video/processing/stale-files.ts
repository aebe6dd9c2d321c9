import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { attemptAll } from '@/lib/foundation/attempt-all';
import { removeCachedCopies, workspaceRoot } from './entry-files';
import { ownerState } from './owner-process';

/** Longer than any step takes. For files that may belong to a process that can't be checked. */
const ONE_DAY_MS = 24 * 3600 * 1000;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const STEP = new RegExp(`^(${UUID})\\.step-(?:([0-9a-f]+-\\d+-\\d+)-)?\\w+$`);
const SHARED = new RegExp(`^(${UUID})\\.(?:source|video\\.mp4)(?:-[0-9a-f]+)?$`);

/** Returns which of these entries have a job that still needs their files. */
async function entriesWithPendingJobs(entryIds: string[]): Promise<Set<string>> {
  if (entryIds.length === 0) return new Set();
  const rows = await db()
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(
        anyOf(entries.id, entryIds),
        isNull(entries.trashedAt),
        or(
          inArray(entries.videoStatus, ['uploaded', 'processing']),
          and(inArray(entries.videoStatus, ['ready', 'failed']), eq(entries.transcriptStatus, 'processing')),
        ),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Removes an entry's shared copies from this machine unless another of its jobs still needs them. */
export async function removeUnusedCopies(entryId: string): Promise<void> {
  if (!(await entriesWithPendingJobs([entryId])).has(entryId)) await removeCachedCopies(entryId);
}

async function isOld(place: string): Promise<boolean> {
  const info = await stat(place).catch(() => null);
  return info !== null && Date.now() - info.mtimeMs > ONE_DAY_MS;
}

/**
 * Removes what canceled, failed, and killed jobs left on this machine: folders of steps whose process has ended, and
 * shared copies that no job needs anymore. Running steps keep their folders, which have their own links to the copies.
 * @throws Error after trying all of them, if any couldn't be removed
 */
export async function removeStaleFiles(): Promise<void> {
  const names = await readdir(workspaceRoot()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const busy = new Set<string>();
  const stale: string[] = [];
  const shared: { name: string; entryId: string }[] = [];
  for (const name of names) {
    const [, stepOf, owner = ''] = STEP.exec(name) ?? [];
    const [, copyOf] = SHARED.exec(name) ?? [];
    if (copyOf) shared.push({ name, entryId: copyOf });
    else {
      const state = ownerState(owner);
      if (state === 'ended' || (state === 'unknown' && (await isOld(path.join(workspaceRoot(), name)))))
        stale.push(name);
      else if (stepOf) busy.add(stepOf);
    }
  }
  const unused = shared.filter(({ entryId }) => !busy.has(entryId));
  const needed = await entriesWithPendingJobs(unused.map(({ entryId }) => entryId));
  for (const { name, entryId } of unused) if (!needed.has(entryId)) stale.push(name);
  await attemptAll('media: removal of an ended job’s files', stale, (name) =>
    rm(path.join(workspaceRoot(), name), { recursive: true, force: true }),
  );
}
