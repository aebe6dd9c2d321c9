import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs, type jobKind } from '@/db/schema/jobs';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { runVideos } from '@/lib/operations/videos/commands';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { removeCachedCopies } from '@/lib/video/processing/entry-files';
import { probeSource, publishThumbnail, publishVideo } from '@/lib/video/processing/video';
import { makeEntry, makeUser } from './factories';

/** Makes an entry with its files in storage, as an earlier version left it. Its video is ready, unless told otherwise. */
export async function makeOutdated(
  { source, video }: { source?: string; video?: string },
  values: Parameters<typeof makeEntry>[1] = {},
) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, values);
  const entry = { userId, entryId };
  if (source) await uploadObject(source, entryKey(userId, entryId, 'source'), 'video/mp4');
  if (video) await uploadObject(video, entryKey(userId, entryId, 'video.mp4'), 'video/mp4');
  return entry;
}

/** Processes all videos whose job was started, as their runs do. */
export async function processStarted(): Promise<void> {
  const started = await db()
    .select({ entryId: entries.id, userId: entries.userId })
    .from(entries)
    .where(eq(entries.videoStatus, 'processing'));
  for (const entry of started) {
    const source = (await probeSource(entry)) as MediaProbe;
    await publishThumbnail(entry, source);
    await publishVideo(entry, source);
    await removeCachedCopies(entry.entryId);
  }
}

/** Returns how often an entry's job was started. */
export async function startsOf(kind: (typeof jobKind.enumValues)[number], entryId: string): Promise<number> {
  const [job] = await db()
    .select({ generation: entryJobs.generation })
    .from(entryJobs)
    .where(and(eq(entryJobs.entryId, entryId), eq(entryJobs.kind, kind)));
  return job?.generation ?? 0;
}

/** Runs the program. @returns its exit code, and what it printed */
export async function runProgram(args: string[], pause = processStarted): Promise<[number, string]> {
  const printed: string[] = [];
  const code = await runVideos(args, { print: (text) => printed.push(text), pause });
  return [code, printed.join('\n')];
}
