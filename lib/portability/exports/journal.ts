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

/** Returns everything about a journal but its entries; null if the account is gone. */
export async function readJournal(
  userId: string,
  scope: Scope,
): Promise<Omit<ArchivedJournal, 'entries'> | null> {
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
  return {
    format: 'daylight-journal',
    version: 1,
    exportedAt: new Date().toISOString(),
    scope: { fromYear: scope.fromYear, toYear: scope.toYear, selection: scope.entryIds !== null },
    profile: {
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      gender: user.gender,
      dateOfBirth: user.dateOfBirth,
      createdAt: user.createdAt.toISOString(),
    },
    settings: { plan: user.plan, ...videoSettings(), reminder },
    vocabulary: words.map(({ word }) => word),
    tags: ownTags,
    hiddenMemories: hidden.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
  };
}

/** Keeps the name that the viewer shows, and nothing else about the person. */
const onlyFirstName = ({ firstName }: ArchivedJournal['profile']): ArchivedJournal['profile'] => ({
  firstName,
  lastName: null,
  email: null,
  gender: null,
  dateOfBirth: null,
  createdAt: null,
});

/** Returns `daylight.json`: the journal with these entries, without what refers to others. */
export function withEntries(
  journal: Omit<ArchivedJournal, 'entries'>,
  entries: readonly ArchivedEntry[],
): ArchivedJournal {
  const { selection } = journal.scope;
  const included = new Set(entries.map(({ id }) => id));
  const used = new Set(entries.flatMap(({ tags: own }) => own));
  const known = new Set(journal.tags.map(({ id }) => id));
  return {
    ...journal,
    // Someone who shares a few entries doesn't expect to share what's in the rest of the journal, or who they are.
    profile: selection ? onlyFirstName(journal.profile) : journal.profile,
    settings: selection ? null : journal.settings,
    vocabulary: selection ? [] : journal.vocabulary,
    tags: journal.tags.filter(({ id }) => !selection || used.has(id)),
    hiddenMemories: journal.hiddenMemories.filter(({ entry, tag }) =>
      entry === null ? !selection && (tag === null || known.has(tag)) : included.has(entry),
    ),
    // A tag may have been deleted since the entry was read.
    entries: entries.map((entry) => ({ ...entry, tags: entry.tags.filter((id) => known.has(id)) })),
  };
}
