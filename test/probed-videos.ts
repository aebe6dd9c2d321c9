import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { admitVideo } from '@/lib/plans/held';
import { makeEntry } from './factories';

/** An entry whose file has arrived and hasn't been probed. */
export const arrived = async (userId: string) => {
  const { id } = await makeEntry(userId, {
    videoStatus: 'uploaded',
    videoKey: null,
    durationMs: null,
    transcriptStatus: 'processing',
  });
  return id;
};

export const probe = (userId: string, entryId: string, seconds: number) =>
  admitVideo({ userId, entryId }, { durationMs: seconds * 1000, bytes: 1000, width: 640, height: 360 });

/** Uploads and probes one video after the other. @returns their ids */
export async function probed(userId: string, ...lengths: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const seconds of lengths) {
    const id = await arrived(userId);
    await probe(userId, id, seconds);
    ids.push(id);
  }
  return ids;
}

export async function rowOf(id: string) {
  const [row] = await db().select().from(entries).where(eq(entries.id, id));
  if (!row) throw new Error('the entry is gone');
  return row;
}

export const heldAmong = (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await rowOf(id)).heldByPlan));
