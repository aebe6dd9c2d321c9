import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { entries, entryTags, notes } from '@/db/schema/entries';
import { transcripts } from '@/db/schema/transcripts';
import { makeTag } from './entry-fixtures';
import { makeUser } from './factories';
import { storedWords } from './transcript-fixtures';

/** First and last days of months and years, a leap day, and the days beside it. */
export const DATES = [
  ...['2023-12-31', '2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01', '2024-12-31'],
  ...['2025-01-01', '2025-01-31', '2025-02-01', '2025-12-31', '2026-01-01'],
];

/** An entry that lists show, as a test expects it in memory. */
export interface FilterEntry {
  id: string;
  date: string;
  createdAt: Date;
  /** Ids, sorted. */
  tags: string[];
  title: string;
  /** What's said in it; empty if nothing. */
  words: string;
  notes: string[];
  /** In milliseconds. */
  duration: number;
}

const TITLES = ['A day', 'The harbor', 'Boats'];
const WORDS = ['', 'we saw the harbor', 'harbor and lighthouse', 'the lighthouse keeper has boats'];
const NOTES: string[][] = [[], ['ask about the harbor'], ['the lighthouse', 'again']];

/** Each value of a list by an entry's number, at its own pace, so that every pair of values comes up. */
const pick = <Value>(values: readonly Value[], n: number): Value => {
  const value = values[n % values.length];
  if (value === undefined) throw new Error('the list is empty');
  return value;
};

/** Inserts entries of an account with what belongs to them, a statement for each table. */
async function insertEntries(
  userId: string,
  drafts: FilterEntry[],
  more: Partial<typeof entries.$inferInsert> = {},
): Promise<void> {
  await db()
    .insert(entries)
    .values(
      drafts.map(({ id, date, createdAt, title, duration }) => ({
        ...{ id, userId, date, createdAt, title, durationMs: duration, bytes: 1000 },
        ...{ fileName: 'day.mp4', contentType: 'video/mp4', videoKey: `entries/${userId}/${id}/video.mp4` },
        ...{ videoStatus: 'ready' as const, transcriptStatus: 'completed' as const },
        ...more,
      })),
    );
  const tagged = drafts.flatMap(({ id, tags }) => tags.map((tagId) => ({ entryId: id, tagId })));
  await db().insert(entryTags).values(tagged);
  const noted = drafts.flatMap(({ id, notes }) => notes.map((text) => ({ id: uuidv7(), entryId: id, text })));
  await db().insert(notes).values(noted);
  const spoken = drafts.filter(({ words }) => words);
  await db()
    .insert(transcripts)
    .values(spoken.map(({ id, words }) => ({ entryId: id, revision: 0, words: storedWords(words) })));
}

/**
 * Creates a journal of 33 entries, three on each of {@link DATES}, two of them created in the same moment, with all, some,
 * and none of three tags. For each date, it also has what no list may show, with everything that a filter could match: an
 * entry in the trash, one that's uploading, and one of another account.
 * @returns what lists show, newest first
 */
export async function makeFilterJournal() {
  const [{ id: userId }, { id: stranger }] = [await makeUser(), await makeUser()];
  const tags = [await makeTag(userId, 'Home'), await makeTag(userId, 'Sea'), await makeTag(userId, 'Work')];
  const strangersTag = await makeTag(stranger, 'Sea');
  const listed: FilterEntry[] = [];
  for (let n = 0; n < 3 * DATES.length; n += 1) {
    listed.push({
      id: uuidv7(),
      date: pick(DATES, n),
      createdAt: new Date(Date.UTC(2026, 1, 1, 12, 0, 0, n < 2 * DATES.length ? 5 : pick([4, 6], n))),
      tags: tags.filter((_, bit) => (n >> bit) & 1).sort(),
      title: pick(TITLES, Math.floor(n / 2)),
      words: pick(WORDS, Math.floor(n / 3)),
      notes: pick(NOTES, Math.floor(n / 5)),
      duration: 1000 + n,
    });
  }
  const hidden = (its: string[]) =>
    DATES.map((date) => ({
      ...{ id: uuidv7(), date, createdAt: new Date('2026-02-01T12:00:00.005Z'), duration: 500_000 },
      ...{ tags: its, title: 'The harbor', words: 'harbor lighthouse boats', notes: ['harbor'] },
    }));
  await insertEntries(userId, listed);
  await insertEntries(userId, hidden(tags), { trashedAt: new Date() });
  await insertEntries(userId, hidden(tags), { videoStatus: 'uploading' });
  await insertEntries(stranger, hidden([strangersTag]));
  return { userId, tags, strangersTag, listed: listed.sort(newestFirst) };
}

const place = ({ date, createdAt, id }: FilterEntry) => `${date} ${createdAt.toISOString()} ${id}`;

/** The order of lists. */
export const newestFirst = (one: FilterEntry, other: FilterEntry): number =>
  place(one) < place(other) ? 1 : -1;

/** Some of a journal's tags, by their indexes: none, one, several, and all. */
export const tagIndexes = fc.subarray([0, 1, 2]);

/** A day on, right before, or right after an entry's, or far from all of them. */
export const anyDay = fc.constantFrom(
  ...DATES,
  ...['2023-12-30', '2024-02-27', '2024-03-02', '2025-12-30', '2026-01-02', '1999-01-01', '2100-12-31'],
);

const periods = [
  ...new Set(DATES.flatMap((date) => [date.slice(0, 4), date.slice(0, 7)])),
  '2022',
  '2025-06',
];

/** What a list of entries may be narrowed down to. */
export const anyFilter = fc.record({
  tags: tagIndexes,
  month: fc.option(fc.constantFrom(...periods), { nil: undefined }),
  notes: fc.constantFrom('true', 'false', undefined),
});
type Filter = typeof anyFilter extends fc.Arbitrary<infer T> ? T : never;

type FilterJournal = Awaited<ReturnType<typeof makeFilterJournal>>;

/** Returns a filter's parameters as a client sends them: a single tag isn't a list. */
export function sentFilter(journal: FilterJournal, { tags, ...rest }: Filter) {
  const ids = tags.map((index) => journal.tags[index]);
  return { tag: ids.length > 1 ? ids : ids[0], ...rest };
}

/** Returns what tells whether a filter leaves an entry. */
export function matcherOf(journal: FilterJournal, { tags, month = '', notes }: Filter) {
  const wanted = tags.map((index) => journal.tags[index] ?? '');
  return (entry: FilterEntry): boolean =>
    wanted.every((tag) => entry.tags.includes(tag)) &&
    entry.date.startsWith(month) &&
    (notes !== 'true' || entry.notes.length > 0);
}

/** How long entries are together, in seconds. */
export const secondsOf = (list: readonly FilterEntry[]): number =>
  list.reduce((sum, { duration }) => sum + duration, 0) / 1000;

export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
