import { createHash } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryKey } from '@/lib/entries/keys';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { MediaError } from '@/lib/media/errors';
import { type FfmpegTool, locateFfmpeg } from '@/lib/media/locate-ffmpeg';
import { downloadObject, ObjectReplaced } from '@/lib/services/storage';
import { currentProcessId } from './owner-process';

/** Whose files a job works on. */
export interface EntryRef {
  entryId: string;
  userId: string;
}

/** Where this machine's jobs keep their files. */
export const workspaceRoot = () => path.join(tmpdir(), 'daylight-work');

/** What several steps of an entry read. */
type SharedFile = 'source' | 'video.mp4';

/**
 * The copy of an entry's file that all its jobs on this machine share. Each version has a name of its own.
 * @param etag of the version, or null for whichever storage has
 */
function cachedCopyPath(entryId: string, name: SharedFile, etag: string | null): string {
  const version = etag ? `-${createHash('sha256').update(etag).digest('hex').slice(0, 16)}` : '';
  return path.join(workspaceRoot(), `${entryId}.${name}${version}`);
}

let tool: FfmpegTool | undefined;

/** Returns the ffmpeg of this machine. @throws MediaError `no_ffmpeg`, also where a required sandbox isn't possible */
export async function ffmpegTool(): Promise<FfmpegTool> {
  const { FFMPEG_PATH, FFPROBE_PATH, FFMPEG_SANDBOX } = env();
  const found =
    tool ??
    (await locateFfmpeg({
      sandbox: FFMPEG_SANDBOX,
      ...(FFMPEG_PATH ? { ffmpegPath: FFMPEG_PATH } : {}),
      ...(FFPROBE_PATH ? { ffprobePath: FFPROBE_PATH } : {}),
    }));
  if (!found) throw new MediaError('no_ffmpeg');
  tool = found;
  return found;
}

/** Logs once, at startup, which ffmpeg prepares videos and how it's confined. Never rejects. */
export async function logFfmpeg(): Promise<void> {
  try {
    const { describe, sandbox } = await ffmpegTool();
    const level = sandbox.isolation === 'full' ? 'info' : 'warn';
    log[level]({ ffmpeg: describe, isolation: sandbox.isolation }, `media: ffmpeg runs ${sandbox.describe}`);
  } catch (error) {
    const detail = error instanceof MediaError ? error.detail : '';
    log.error({ error, detail }, 'media: videos cannot be processed');
  }
}

/** A private directory for one step; it is removed afterwards, whatever happens. */
export async function withStepFolder<T>(entryId: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(workspaceRoot(), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(workspaceRoot(), `${entryId}.step-${currentProcessId()}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the version of the uploaded file that was completed; null for uploads from before that was recorded. */
async function completedEtag({ entryId, userId }: EntryRef): Promise<string | null> {
  const [row] = await db()
    .select({ etag: entries.sourceEtag })
    .from(entries)
    .where(and(eq(entries.id, entryId), eq(entries.userId, userId)));
  return row?.etag ?? null;
}

/**
 * Returns the path of an entry's uploaded file or final video in a step's private folder, since ffmpeg sees nothing
 * else. The file is fetched once for all steps on this machine, and again by a step on another or after a crash. Each
 * step gets a hard link of its own, so the shared copy may be removed at any time. The uploaded file is always the
 * version that was completed, even if somebody has uploaded another to the same address.
 * @throws MediaError `replaced` when storage no longer has that version, `unreadable` when it has no such object
 */
export async function fetchEntryFile(entry: EntryRef, name: SharedFile, folder: string): Promise<string> {
  const etag = name === 'source' ? await completedEtag(entry) : null;
  const shared = cachedCopyPath(entry.entryId, name, etag);
  const own = path.join(folder, name === 'source' ? 'source' : 'final');
  for (;;) {
    try {
      await link(shared, own);
      return own;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    // A name of its own until it is whole: two jobs may fetch at the same time.
    const key = entryKey(entry.userId, entry.entryId, name);
    const part = path.join(folder, 'part');
    const found = await downloadObject(key, shared, { part, etag }).catch((error: unknown) => {
      throw error instanceof ObjectReplaced ? new MediaError('replaced', error.message) : error;
    });
    if (!found) throw new MediaError(etag ? 'replaced' : 'unreadable', 'storage has no such object');
  }
}

/** Removes an entry's shared copies, or only those of one file, from this machine. */
export async function removeCachedCopies(entryId: string, name?: SharedFile): Promise<void> {
  for (const found of await readdir(workspaceRoot()).catch(() => [])) {
    const isShared = found.startsWith(`${entryId}.${name ?? ''}`) && !found.startsWith(`${entryId}.step-`);
    if (isShared) await rm(path.join(workspaceRoot(), found), { force: true });
  }
}
