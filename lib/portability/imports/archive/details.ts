import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { entryTags, notes } from '@/db/schema/entries';
import { addMissingTags, lockTagsByName } from './tags';

/** What an entry is imported with besides its video. */
interface Details {
  tags: { name: string; color: string }[];
  notes: { text: string; moment: number | null; createdAt: Date }[];
}

/** Returns a SHA-256 of what's imported along with a video, in hex. */
export const contentChecksum = (content: object) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** Adds an imported entry's tags and notes. */
export async function addDetails(
  tx: Transaction,
  { userId, entryId, importId }: { userId: string; entryId: string; importId: string },
  details: Details,
): Promise<void> {
  await addMissingTags(tx, userId, importId, details.tags);
  const names = details.tags.map(({ name }) => name);
  const tagIds = new Set((await lockTagsByName(tx, userId, names)).values());
  if (tagIds.size > 0) await tx.insert(entryTags).values([...tagIds].map((tagId) => ({ entryId, tagId })));
  if (details.notes.length === 0) return;
  await tx.insert(notes).values(
    details.notes.map(({ text, moment, createdAt }) => ({
      id: uuidv7(),
      entryId,
      text,
      momentMs: moment === null ? null : Math.round(moment * 1000),
      createdAt,
    })),
  );
}
