import { link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attemptAll } from '@/lib/attempt-all';
import { entryKey } from '@/lib/entries/keys';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { MediaError } from '@/lib/media/errors';
import { type FfmpegTool, locateFfmpeg } from '@/lib/media/locate';
import { download } from '@/lib/services/storage';

/** Whose files a job works on. */
export interface EntryRef {
  entryId: string;
  userId: string;
}

const root = () => path.join(tmpdir(), 'daylight-work');

/** What several steps of an entry read. */
const SHARED = ['source', 'video.mp4'] as const;
type SharedFile = (typeof SHARED)[number];

/** The copy of an entry's file that all its jobs on this machine share. */
const sharedCopy = (entryId: string, name: SharedFile) => path.join(root(), `${entryId}.${name}`);

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
    log.error({ error, detail }, 'media: no video can be prepared');
  }
}

/** A private directory for one step; it is removed afterwards, whatever happens. */
export async function inPrivateFolder<T>(entryId: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(root(), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(root(), `${entryId}.step-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A file of an entry, the uploaded one or the final video, as a local one in a step's private folder, since ffmpeg sees nothing else. It is fetched once for
 * all steps that run on this machine, and again by a step that runs on another or after a crash. A step gets a hard
 * link of its own, so that another job of the entry may tidy up meanwhile.
 * @throws MediaError `unreadable` when storage has no such object
 */
export async function storedFile(
  { entryId, userId }: EntryRef,
  name: SharedFile,
  folder: string,
): Promise<string> {
  const shared = sharedCopy(entryId, name);
  const own = path.join(folder, name === 'source' ? 'source' : 'final');
  for (;;) {
    try {
      await link(shared, own);
      return own;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    // A name of its own until it is whole: two jobs may fetch at the same time.
    const arrived = await download(entryKey(userId, entryId, name), shared, path.join(folder, 'part'));
    if (!arrived) throw new MediaError('unreadable', 'storage has no such object');
  }
}

/** Removes the shared copies of an entry's files from this machine. */
export async function removeCopies(entryId: string): Promise<void> {
  for (const name of SHARED) await rm(sharedCopy(entryId, name), { force: true });
}

const SIX_HOURS_MS = 6 * 3600 * 1000;

/** Removes what killed jobs have left behind long ago. @throws Error after all was tried, when some can't be removed */
export async function removeStaleWorkspaces(now = Date.now()): Promise<void> {
  const names = await readdir(root()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  await attemptAll('workspaces: removal', names, async (name) => {
    const place = path.join(root(), name);
    const info = await stat(place).catch(() => null);
    if (info && now - info.mtimeMs > SIX_HOURS_MS) await rm(place, { recursive: true, force: true });
  });
}
