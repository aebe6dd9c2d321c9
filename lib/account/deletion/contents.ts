import { eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries, notes, tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { transcripts, vocabulary } from '@/db/schema/transcripts';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { AppError } from '@/lib/foundation/contract/errors';
import type { AccountContents } from './contract';

/** Counts what an account has. @throws AppError `not_found` */
export async function countContents(tx: Database | Transaction, userId: string): Promise<AccountContents> {
  const ofUser = sql`from ${entries} where ${entries.userId} = ${userId}`;
  const rows = (table: typeof tags | typeof vocabulary | typeof hiddenMemories) =>
    sql<number>`(select count(*)::int from ${table} where ${table.userId} = ${userId})`;
  const ofEntries = (counted: ReturnType<typeof sql>, table: typeof notes | typeof transcripts) =>
    sql<number>`(select ${counted}::int from ${table}
      where ${table.entryId} in (select ${entries.id} ${ofUser}))`;
  const [found] = await tx
    .select({
      entries: sql<number>`(select count(*)::int ${ofUser})`,
      entriesInTrash: sql<number>`(select count(*)::int ${ofUser} and ${entries.trashedAt} is not null)`,
      bytes: sql<number>`(select coalesce(sum(${entries.bytes}), 0)::float8 ${ofUser})`,
      seconds: sql<number>`(select (coalesce(sum(${entries.durationMs}), 0) / 1000)::int ${ofUser})`,
      transcripts: ofEntries(sql`count(distinct ${transcripts.entryId})`, transcripts),
      revisions: ofEntries(sql`count(*)`, transcripts),
      notes: ofEntries(sql`count(*)`, notes),
      tags: rows(tags),
      hiddenMemories: rows(hiddenMemories),
      vocabulary: rows(vocabulary),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!found) throw new AppError('not_found');
  return found;
}

const number = new Intl.NumberFormat('en-US');

/** Returns a number with its noun: `1 note`, `2,000 notes`. */
const counted = (count: number, one: string, many = `${one}s`) =>
  `${number.format(count)} ${count === 1 ? one : many}`;

/** Returns what an account has, one line for each kind that there is any of. */
export function describeContents(contents: AccountContents): string[] {
  const { entries, entriesInTrash, bytes, transcripts, revisions, notes, tags } = contents;
  const { hiddenMemories, vocabulary } = contents;
  const trash = entriesInTrash > 0 ? `, ${number.format(entriesInTrash)} of them in the trash` : '';
  const lines: [count: number, line: string][] = [
    [entries, `${counted(entries, 'entry', 'entries')}${trash}`],
    [bytes, `${formatBytes(bytes)} of video`],
    [transcripts, `${counted(transcripts, 'transcript')} with ${counted(revisions, 'revision')}`],
    [notes, counted(notes, 'note')],
    [tags, counted(tags, 'tag')],
    [hiddenMemories, counted(hiddenMemories, 'hidden memory', 'hidden memories')],
    [vocabulary, `${counted(vocabulary, 'word')} learned from your corrections`],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
}
