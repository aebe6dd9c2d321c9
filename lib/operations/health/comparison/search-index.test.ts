import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { entrySearch, journalMonths, searchWords } from '@/db/schema/search';
import { transcripts } from '@/db/schema/transcripts';
import { INDEX_REVISION } from '@/lib/journal/search/reindex';
import { addTranscript, makeEntryWithContent, searchEntryIds } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { compare } from '@/test/stored-entries';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let userId: string;
let entryId: string;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const SPOKEN = Array.from({ length: 300 }, (_, n) => `spoken${n}`).join(' ');

beforeEach(async () => {
  await db().delete(users);
  ({ id: userId } = await makeUser());
  const content = { title: 'A walk', words: SPOKEN, tag: 'Garden', note: 'The old pebble' };
  entryId = await makeEntryWithContent(userId, content);
  await makeEntryWithContent(userId, { title: 'Another' });
});

/** Changes rows as something would that goes around the triggers. */
async function unnoticed(change: () => Promise<unknown>) {
  const tables = ['entries', 'transcripts', 'entry_tags', 'notes', 'entry_search'];
  for (const table of tables) await db().execute(sql.raw(`alter table ${table} disable trigger user`));
  await change();
  for (const table of tables) await db().execute(sql.raw(`alter table ${table} enable trigger user`));
}

const indexProblem = async (options: Parameters<typeof compare>[0] = {}) =>
  (await compare(options))['Search index'];

it('finds nothing wrong with what the triggers have made', async () => {
  const hostile = await makeEntryWithContent(userId, {
    title: `mother-in-law’s “O'Hawaiʻi” 50% ŉ 3.14 ${'x'.repeat(150)}`,
    words: `– mother-in-law don’t ... 1.5 e-mail@home naïve Straße ${SPOKEN} 日本語 ''' \\ zqxblank`,
    note: 'Über "quoted" \\ text',
    language: 'de-DE',
    date: '1999-12-31',
  });
  await makeEntryWithContent(userId, { words: `${SPOKEN} `.repeat(40).trim() });
  await addTranscript(hostile, 'corrected words', 1);
  await addTranscript(entryId, '', 1);
  await db().delete(tags).where(eq(tags.userId, userId));
  await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.title, 'Another'));
  expect([await indexProblem(), await indexProblem({ isThorough: true })]).toEqual([undefined, undefined]);
});

describe('an entry that isn’t in the index as it is', () => {
  it.each<[what: string, change: () => Promise<unknown>]>([
    ['missing', () => db().delete(entrySearch).where(eq(entrySearch.entryId, entryId))],
    [
      'in the trash',
      () => db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, entryId)),
    ],
    ['renamed', () => db().update(entries).set({ title: 'A run' }).where(eq(entries.id, entryId))],
    ['moved', () => db().update(entries).set({ date: '2020-02-02' }).where(eq(entries.id, entryId))],
    ['untagged', () => db().delete(entryTags).where(eq(entryTags.entryId, entryId))],
    ['annotated', () => db().update(notes).set({ text: 'A new boulder' }).where(eq(notes.entryId, entryId))],
    ['corrected', () => addTranscript(entryId, SPOKEN.replaceAll('spoken', 'said'), 1)],
    ['shortened', () => db().update(transcripts).set({ words: [] }).where(eq(transcripts.entryId, entryId))],
  ])('is found and indexed again: %s', async (_, change) => {
    await unnoticed(change);
    expect(await indexProblem()).toMatch(/^✗ 1 entry is out of date in the search index.*--repair/s);
    expect(await indexProblem({ mayRepair: true })).toMatch(/^✓ 1 entry is out/);
    expect(await indexProblem({ isThorough: true })).toBeUndefined();
  });

  it('is found by its one wrong word when all words are compared', async () => {
    await unnoticed(() => db().update(transcripts).set({ words: sql`jsonb_set(words, '{7,0}', '"meant"')` }));
    expect(await indexProblem({ isThorough: true, mayRepair: true })).toMatch(/^✓ 1 entry is out/);
    expect(await searchEntryIds(userId, 'meant')).toEqual([entryId]);
  });
});

it('leaves an entry alone that waits to be indexed in a new way', async () => {
  await unnoticed(async () => {
    await db().update(notes).set({ text: 'A new boulder' }).where(eq(notes.entryId, entryId));
    await db()
      .update(entrySearch)
      .set({ revision: INDEX_REVISION - 1 })
      .where(eq(entrySearch.entryId, entryId));
  });
  expect([await indexProblem(), await indexProblem({ isThorough: true })]).toEqual([undefined, undefined]);
});

describe('an account’s counts', () => {
  it.each<[what: string, change: () => Promise<unknown>, isThorough: boolean]>([
    ['of entries', () => db().update(journalMonths).set({ entries: 7 }), false],
    ['of days', () => db().update(journalMonths).set({ days: sql`array_fill(0, array[31])` }), false],
    ['of words', () => db().delete(journalMonths), false],
    ['of known words', () => db().delete(searchWords), false],
    ['of entries with a word', () => db().update(searchWords).set({ entries: 9 }), true],
  ])('are found and counted again: %s', async (_, change, isThorough) => {
    await change();
    expect(await indexProblem({ isThorough })).toBe(
      `✗ 1 account has wrong counts of entries, days, or words.\n--repair counts them again.\n${userId}`,
    );
    expect(await indexProblem({ isThorough, mayRepair: true })).toMatch(/^✓ 1 account has/);
    expect(await indexProblem({ isThorough: true })).toBeUndefined();
  });

  it('are counted again once a change that’s being made is done', async () => {
    await db().delete(journalMonths);
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(entries).set({ date: '2020-02-02' }).where(eq(entries.id, entryId)),
      () => indexProblem({ mayRepair: true }),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect(await indexProblem({ isThorough: true })).toBeUndefined();
  });
});
