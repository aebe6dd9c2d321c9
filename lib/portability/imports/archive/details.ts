import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import type { Transaction } from '@/db/client';
import { entryTags, notes, tags } from '@/db/schema/entries';
import type * as contract from './contract';

/** What an entry is imported with besides its video. */
type Details = Pick<z.output<typeof contract.importEntry.body>, 'tags' | 'notes'>;

/** Returns a SHA-256 of what's imported along with a video, in hex. */
export const contentChecksum = (content: object) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** Adds tags that the account doesn't have, for an import. Those of the same name, ignoring case, keep their colors. */
export async function addMissingTags(
  tx: Transaction,
  userId: string,
  importId: string,
  wanted: Details['tags'],
): Promise<void> {
  if (wanted.length === 0) return;
  await tx
    .insert(tags)
    .values(wanted.map(({ name, color }) => ({ id: uuidv7(), userId, importId, name, color })))
    .onConflictDoNothing();
}

/** Returns the ids of an account's tags by the names they're asked for, and locks them until the transaction ends. */
export async function lockTagsByName(
  tx: Transaction,
  userId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const found = await tx.execute<{ id: string; wanted: string }>(sql`
    select ${tags.id}, wanted from ${tags}
    join jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as wanted on lower(${tags.name}) = lower(wanted)
    where ${tags.userId} = ${userId} order by ${tags.id} for key share of ${tags}`);
  return new Map(found.map(({ id, wanted }) => [wanted, id]));
}

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
