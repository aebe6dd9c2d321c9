import { sql } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { entries, tags } from '@/db/schema/entries';
import { imports } from '@/db/schema/imports';
import { AppError } from '@/lib/foundation/contract/errors';

/** How many bytes of text an account holds on every plan: words of all revisions, notes, and names of tags and imports. */
export const MAX_TEXT_BYTES = 200_000_000;

/** How many of each an account holds. Nobody reaches these by hand. */
export const MAX_NOTES = 100_000;
export const MAX_TAGS = 10_000;
export const MAX_IMPORTS = 10_000;

/** What an account holds. */
interface TextUsage {
  bytes: number;
  notes: number;
  tags: number;
  imports: number;
}

/** What can be added up to a number. Words have none: their bytes count. */
type Counted = 'notes' | 'tags' | 'imports';

const QUOTAS: Record<Counted, { most: number; message: string }> = {
  notes: {
    most: MAX_NOTES,
    message: 'Your journal has 100,000 notes, which is the limit. Delete some, then try again.',
  },
  tags: { most: MAX_TAGS, message: 'You have 10,000 tags, which is the limit. Delete some, then try again.' },
  imports: {
    most: MAX_IMPORTS,
    message:
      'You have 10,000 imports, which is the limit. Delete the entries of an old one forever, then try again.',
  },
};

/** Returns the error that says that an account can't hold more text. */
export const textFull = () =>
  new AppError('quota_reached', {
    message:
      'Your journal has 200 MB of text, which is the limit. Delete notes, or delete entries forever, then try again.',
  });

/**
 * Returns what an account holds, with what the transaction has added, and makes others that ask wait until it ends. Call it
 * last: a transaction that waits for nothing while it holds this lock can't deadlock.
 */
export async function lockTextUsage(tx: Transaction, userId: string): Promise<TextUsage> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('text ' || ${userId}, 0))`);
  // A statement of its own, so that it sees what the others have committed by now.
  const [usage] = await tx.execute<TextUsage & Record<string, unknown>>(sql`
    select (of_entries.bytes + of_tags.bytes + of_imports.bytes)::float8 as bytes,
      of_entries.notes::int as notes, of_tags.count::int as tags, of_imports.count::int as imports
    from (select coalesce(sum(text_bytes), 0) as bytes, coalesce(sum(note_count), 0) as notes
        from ${entries} where user_id = ${userId}) as of_entries,
      (select coalesce(sum(octet_length(name)), 0) as bytes, count(*)
        from ${tags} where user_id = ${userId}) as of_tags,
      (select coalesce(sum(octet_length(name)), 0) as bytes, count(*)
        from ${imports} where user_id = ${userId}) as of_imports`);
  return usage ?? { bytes: 0, notes: 0, tags: 0, imports: 0 };
}

/**
 * Checks that an account may hold what the transaction has added. Call it last, as {@link lockTextUsage}.
 * @param added what it is, besides text
 * @throws AppError `quota_reached`
 */
export async function assertTextFits(tx: Transaction, userId: string, ...added: Counted[]): Promise<void> {
  const usage = await lockTextUsage(tx, userId);
  if (usage.bytes > MAX_TEXT_BYTES) throw textFull();
  for (const kind of added) {
    const { most, message } = QUOTAS[kind];
    if (usage[kind] > most) throw new AppError('quota_reached', { message });
  }
}
