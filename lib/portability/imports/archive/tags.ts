import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '@/db/client';
import { tags } from '@/db/schema/entries';

/** Adds tags that the account doesn't have, for an import. Those of the same name, ignoring case, keep their colors. */
export async function addMissingTags(
  tx: Transaction,
  userId: string,
  importId: string,
  wanted: readonly { name: string; color: string }[],
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
