import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { admitVideo } from '@/lib/billing/plans/held-videos';
import { makeEntry } from './factories';

/** An entry whose file has arrived and hasn't been probed. */
export const makeUploadedEntry = async (userId: string) => {
  const { id } = await makeEntry(userId, {
    videoStatus: 'uploaded',
    videoKey: null,
    durationMs: null,
    transcriptStatus: 'processing',
  });
  return id;
};

export const admitProbedVideo = (userId: string, entryId: string, seconds: number) =>
  admitVideo({ userId, entryId }, { durationMs: seconds * 1000, bytes: 1000, width: 640, height: 360 });

/** Uploads and probes one video after the other. @returns their ids */
export async function makeProbedEntries(userId: string, ...lengths: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const seconds of lengths) {
    const id = await makeUploadedEntry(userId);
    await admitProbedVideo(userId, id, seconds);
    ids.push(id);
  }
  return ids;
}

export async function getEntryRow(id: string) {
  const [row] = await db().select().from(entries).where(eq(entries.id, id));
  if (!row) throw new Error('the entry is gone');
  return row;
}

export const getHeldByPlan = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await getEntryRow(id)).heldByPlan));
