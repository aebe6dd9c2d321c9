import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { presignDownload } from '@/lib/clients/storage';
import { AppError } from '@/lib/foundation/contract/errors';
import { entryKey } from '@/lib/journal/entries/keys';
import { waveformColumn } from '@/lib/journal/entries/queries';
import type { Storyboard } from '@/lib/video/media/storyboard';

/** What a player shows beside the video itself; null where there is none. */
export interface Previews {
  storyboard: (Storyboard & { url: string }) | null;
  /** Base64 of one byte for each of equally long stretches, 0 to 255 of the loudest. */
  waveform: string | null;
}

/** Returns what there is for an entry; undefined for one that isn't the user's. */
async function readPreviews(userId: string, entryId: string) {
  const [row] = await db()
    .select({ storyboard: previews.storyboard, waveform: waveformColumn })
    .from(entries)
    .leftJoin(previews, eq(previews.entryId, entries.id))
    .where(ownedEntry(userId, entryId));
  return row;
}

/** Pictures and loudness over the length of an entry's video; without both for one that is not the user's. */
export async function previewsOf(userId: string, entryId: string): Promise<Previews> {
  const { storyboard = null, waveform = null } = (await readPreviews(userId, entryId)) ?? {};
  return {
    storyboard: storyboard && { ...storyboard, url: `/api/v1/entry/${entryId}/storyboard` },
    waveform,
  };
}

/** Returns how loud an entry's video is over its length. @throws AppError `not_found` */
export async function getWaveform(userId: string, entryId: string): Promise<Pick<Previews, 'waveform'>> {
  const found = await readPreviews(userId, entryId);
  if (!found) throw new AppError('not_found');
  return { waveform: found.waveform };
}

/** A signed address of the storyboard, as `mediaAddress` gives those of the video. @throws AppError `not_found` */
export async function storyboardAddress(userId: string, entryId: string) {
  if (!(await readPreviews(userId, entryId))?.storyboard) throw new AppError('not_found');
  return presignDownload(entryKey(userId, entryId, 'storyboard.jpg'), 'image/jpeg');
}

/** Saves what has been made for an entry. @returns false when the entry is in the trash or purged */
export async function savePreviews(
  userId: string,
  entryId: string,
  made: { storyboard?: Storyboard; waveform?: string },
): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [live] = await tx
      .select({ id: entries.id })
      .from(entries)
      .where(ownedEntry(userId, entryId))
      .for('key share');
    if (!live) return false;
    await tx
      .insert(previews)
      .values({ entryId, ...made })
      .onConflictDoUpdate({ target: previews.entryId, set: made });
    return true;
  });
}

/** Records that nothing more can be made for an entry, so that the job isn't taken for gone. What there is stays. */
export async function endPreviews(
  { userId, entryId }: { userId: string; entryId: string },
  { tx = db() }: { tx?: Transaction | Database } = {},
): Promise<void> {
  const isOwned = sql`exists (select from ${entries} where ${ownedEntry(userId, entryId)})`;
  await tx
    .update(previews)
    .set({ waveform: '' })
    .where(and(eq(previews.entryId, entryId), isNull(previews.waveform), isOwned));
}
