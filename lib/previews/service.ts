import { and, eq, isNotNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { ownedEntry } from '@/db/owned-entry';
import { entries } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { AppError } from '@/lib/contract/errors';
import { entryKey } from '@/lib/entries/keys';
import type { Storyboard } from '@/lib/media/storyboard';
import { presignDownload } from '@/lib/services/storage';

/** What a player shows beside the video itself; null where there is none. */
export interface Previews {
  storyboard: (Storyboard & { url: string }) | null;
  /** Base64 of one byte for each of equally long stretches, 0 to 255 of the loudest. */
  waveform: string | null;
}

/** Pictures and loudness over the length of an entry's video; without both for one that is not the user's. */
export async function previewsOf(userId: string, entryId: string): Promise<Previews> {
  const [row] = await db()
    .select({ storyboard: previews.storyboard, waveform: previews.waveform })
    .from(previews)
    .innerJoin(entries, eq(entries.id, previews.entryId))
    .where(ownedEntry(userId, entryId));
  const storyboard = row?.storyboard;
  return {
    storyboard: storyboard ? { ...storyboard, url: `/api/v1/entry/${entryId}/storyboard` } : null,
    waveform: row?.waveform ?? null,
  };
}

/** Returns how loud an entry's video is over its length. @throws AppError `not_found` */
export async function getWaveform(userId: string, entryId: string): Promise<{ waveform: string | null }> {
  const [row] = await db()
    .select({ waveform: previews.waveform })
    .from(entries)
    .leftJoin(previews, eq(previews.entryId, entries.id))
    .where(ownedEntry(userId, entryId));
  if (!row) throw new AppError('not_found');
  return row;
}

/** A signed address of the storyboard, as `mediaAddress` gives those of the video. @throws AppError `not_found` */
export async function storyboardAddress(userId: string, entryId: string) {
  const [row] = await db()
    .select({ id: entries.id })
    .from(previews)
    .innerJoin(entries, eq(entries.id, previews.entryId))
    .where(and(ownedEntry(userId, entryId), isNotNull(previews.storyboard)));
  if (!row) throw new AppError('not_found');
  return presignDownload(entryKey(userId, entryId, 'storyboard.jpg'), 'image/jpeg');
}

/** Saves what has been made for an entry; nothing, if nothing could be. @returns false when the entry is in the trash or purged */
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
    const insert = tx.insert(previews).values({ entryId, ...made });
    if (Object.keys(made).length === 0) await insert.onConflictDoNothing();
    else await insert.onConflictDoUpdate({ target: previews.entryId, set: made });
    return true;
  });
}
