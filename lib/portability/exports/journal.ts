import { asc, desc, eq, getTableColumns } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { tags } from '@/db/schema/entries';
import { hiddenMemories } from '@/db/schema/memories';
import { vocabulary } from '@/db/schema/transcripts';
import { videoSettings } from '@/lib/account/profile/service';
import { effectivePlan } from '@/lib/billing/plans/service';
import { getReminder } from '@/lib/reminders/service';
import type { ArchivedEntry, ArchivedJournal } from './format';
import type { Scope } from './scope';

/**
 * Returns `daylight.json`: everything about a journal, with these entries, and without what refers to others. Someone who
 * shares a few entries doesn't expect to share what's in the rest of the journal, or who they are.
 * @returns null if the account is gone
 */
export async function readJournal(
  userId: string,
  scope: Scope,
  entries: readonly ArchivedEntry[],
): Promise<ArchivedJournal | null> {
  const [user] = await db()
    .select({ ...getTableColumns(users), plan: effectivePlan() })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return null;
  const [ownTags, hidden, words, { nextAt, ...reminder }] = await Promise.all([
    db()
      .select({ id: tags.id, name: tags.name, color: tags.color })
      .from(tags)
      .where(eq(tags.userId, userId))
      .orderBy(asc(tags.name)),
    db()
      .select({
        entry: hiddenMemories.entryId,
        tag: hiddenMemories.tagId,
        date: hiddenMemories.date,
        createdAt: hiddenMemories.createdAt,
      })
      .from(hiddenMemories)
      .where(eq(hiddenMemories.userId, userId))
      .orderBy(asc(hiddenMemories.createdAt), asc(hiddenMemories.id)),
    db()
      .select({ word: vocabulary.word })
      .from(vocabulary)
      .where(eq(vocabulary.userId, userId))
      .orderBy(desc(vocabulary.updatedAt), asc(vocabulary.word)),
    getReminder(userId),
  ]);
  const isSelection = scope.entryIds !== null;
  const included = new Set(entries.map(({ id }) => id));
  const used = new Set(entries.flatMap(({ tags: own }) => own));
  const known = new Set(ownTags.map(({ id }) => id));
  return {
    format: 'daylight-journal',
    version: 1,
    exportedAt: new Date().toISOString(),
    scope: { fromYear: scope.fromYear, toYear: scope.toYear, selection: isSelection },
    profile: {
      // The viewer shows it.
      firstName: user.firstName,
      lastName: isSelection ? null : user.lastName,
      email: isSelection ? null : user.email,
      gender: isSelection ? null : user.gender,
      dateOfBirth: isSelection ? null : user.dateOfBirth,
      createdAt: isSelection ? null : user.createdAt.toISOString(),
    },
    settings: isSelection ? null : { plan: user.plan, ...videoSettings(), reminder },
    vocabulary: isSelection ? [] : words.map(({ word }) => word),
    tags: ownTags.filter(({ id }) => !isSelection || used.has(id)),
    hiddenMemories: hidden
      .filter(({ entry, tag }) =>
        entry === null ? !isSelection && (tag === null || known.has(tag)) : included.has(entry),
      )
      .map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
    // A tag may have been deleted since the entry was read.
    entries: entries.map((entry) => ({ ...entry, tags: entry.tags.filter((id) => known.has(id)) })),
  };
}
