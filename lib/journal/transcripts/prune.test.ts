import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, notes } from '@/db/schema/entries';
import { importedEntries } from '@/db/schema/imported-entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { MAX_TEXT_BYTES } from '@/lib/billing/plans/text-limits';
import { postNote } from '@/lib/journal/notes/service';
import { importRevision } from '@/lib/portability/imports/archive/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { said } from '@/test/transcript-fixtures';
import { saveDraft } from './draft';
import { listRevisions, readRevision, restoreRevision, saveTranscription } from './revisions';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const full = expect.objectContaining({ code: 'quota_reached' });

/** A transcript with this many revisions above the original, each of so many bytes. */
async function addRevisions(entryId: string, count: number, bytes = 1000): Promise<void> {
  const words = (revision: number): StoredWord[] => [[`${revision}`.padEnd(bytes - 12, 'x'), 0, 1]];
  for (let revision = 0; revision <= count; revision += 1) {
    await db()
      .insert(transcripts)
      .values({ entryId, revision, words: words(revision) });
  }
}

async function makeTranscribed(count: number, bytes?: number) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId);
  await addRevisions(entryId, count, bytes);
  return { userId, entryId };
}

/** Another entry that takes up what an account has left, but for so many bytes. */
async function fill(userId: string, left: number): Promise<string> {
  const [used] = await db()
    .select({ bytes: sql<number>`coalesce(sum(${entries.textBytes}), 0)::float8` })
    .from(entries)
    .where(eq(entries.userId, userId));
  const { id } = await makeEntry(userId, { textBytes: MAX_TEXT_BYTES - (used?.bytes ?? 0) - left });
  return id;
}

const numbers = async (userId: string, entryId: string) =>
  (await listRevisions(userId, entryId)).map(({ revision }) => revision);

/** Numbers from one to another, in descending order. */
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);

describe('a correction in an account whose text is full', () => {
  it('is saved, and the oldest revisions go, but for the original and the newest twenty', async () => {
    const { userId, entryId } = await makeTranscribed(25);
    await fill(userId, 0);
    const saved = await saveTranscription(userId, entryId, said('What I meant'));
    expect(saved.revision).toBe(26);
    expect(await numbers(userId, entryId)).toEqual([...down(26, 2), 0]);
    await fill(userId, -10_000);
    await saveTranscription(userId, entryId, said('What I really meant'));
    expect(await numbers(userId, entryId)).toEqual([...down(27, 8), 0]);
    expect((await readRevision(userId, entryId, 0)).words[0]?.word).toMatch(/^0x/);
    await saveTranscription(userId, entryId, said('What I truly meant'));
    expect(await numbers(userId, entryId)).toEqual([...down(28, 9), 0]);
  });

  it('takes the oldest of its other entries once its own are gone, unless somebody is changing them', async () => {
    const { userId, entryId } = await makeTranscribed(0);
    const [other, busy] = [(await makeEntry(userId)).id, (await makeEntry(userId)).id];
    await addRevisions(busy, 25);
    await addRevisions(other, 25);
    const { entryId: theirs } = await makeTranscribed(25);
    await fill(userId, -1500);
    await db().transaction(async (tx) => {
      await tx.select().from(entries).where(eq(entries.id, busy)).for('update');
      await saveTranscription(userId, entryId, said('Mine'));
    });
    expect(await numbers(userId, entryId)).toEqual([1, 0]);
    expect(await numbers(userId, other)).toEqual([...down(25, 3), 0]);
    expect(await numbers(userId, busy)).toEqual(down(25, 0));
    expect(await db().$count(transcripts, eq(transcripts.entryId, theirs))).toBe(26);
  });

  it('is saved with nothing to prune, up to a second limit', async () => {
    const { userId, entryId } = await makeTranscribed(3);
    const rest = await fill(userId, 0);
    expect((await saveTranscription(userId, entryId, said('Still saved'))).revision).toBe(4);
    expect(await numbers(userId, entryId)).toEqual(down(4, 0));
    await db().update(entries).set({ textBytes: sql`text_bytes + 50000000` }).where(eq(entries.id, rest));
    await expect(saveTranscription(userId, entryId, said('Too much'))).rejects.toEqual(full);
    expect(await numbers(userId, entryId)).toEqual(down(4, 0));
    expect((await restoreRevision(userId, entryId, 1)).revision).toBe(5);
  });

  it('spares the words of the original after it was restored', async () => {
    const { userId, entryId } = await makeTranscribed(2);
    await restoreRevision(userId, entryId, 0);
    for (let n = 4; n <= 24; n += 1) await saveTranscription(userId, entryId, said(`Version ${n}`));
    await fill(userId, -100_000);
    await saveTranscription(userId, entryId, said('The last one'));
    expect(await numbers(userId, entryId)).toEqual([...down(25, 6), 3, 0]);
    for (const revision of [0, 3]) {
      expect((await readRevision(userId, entryId, revision)).words[0]?.word).toMatch(/^0x/);
    }
  });
});

it('frees space that is full for real, and stays within it however many correct at once', async () => {
  const { userId, entryId } = await makeTranscribed(48, 4_000_000);
  const other = (await makeEntry(userId)).id;
  await addRevisions(other, 0, 3_000_000);
  const long = (of: string) => [{ word: of.repeat(3_000_000 / of.length), startTime: 0, endTime: 1 }];
  await Promise.all(['a', 'b', 'c', 'd'].map((of) => saveTranscription(userId, entryId, long(of))));
  await saveTranscription(userId, other, long('e'));
  const [used] = await db()
    .select({ bytes: sql<number>`sum(octet_length(words::text))::float8` })
    .from(transcripts)
    .innerJoin(entries, eq(entries.id, transcripts.entryId))
    .where(eq(entries.userId, userId));
  expect(used?.bytes).toBeLessThanOrEqual(MAX_TEXT_BYTES);
  expect(await numbers(userId, other)).toEqual([1, 0]);
  // Of 214 MB, four revisions of 4 MB.
  expect(await numbers(userId, entryId)).toEqual([...down(52, 5), 0]);
});

it('has at most a thousand revisions', async () => {
  const { userId, entryId } = await makeTranscribed(0);
  await db().execute(sql`insert into transcripts (entry_id, revision, words)
    select ${entryId}, n, jsonb_build_array(jsonb_build_array('word' || n, 0, 1)) from generate_series(1, 999) as n`);
  await saveTranscription(userId, entryId, said('One more'));
  expect(await numbers(userId, entryId)).toEqual([...down(1000, 2), 0]);
  await restoreRevision(userId, entryId, 500);
  expect(await numbers(userId, entryId)).toEqual([...down(1001, 3), 0]);
});

describe('an account whose text is full takes no more', () => {
  it('imported revisions, nor words that a browser heard', async () => {
    const { userId, entryId } = await makeTranscribed(0, 10_000);
    await fill(userId, 0);
    const heard = await makeEntry(userId, { transcriptStatus: 'processing' });
    await expect(saveDraft(userId, heard.id, said('heard'))).rejects.toEqual(full);
    expect(await db().$count(transcripts, eq(transcripts.entryId, heard.id))).toBe(0);
    const revision = {
      ...{ revision: 1, createdAt: new Date(), engine: null, draft: false, estimated: false },
      ...{ logProbability: null, words: [['word', 0, 1, null] as [string, number, number, null]] },
    };
    const imported = (await makeEntry(userId, { videoStatus: 'uploading', videoKey: null })).id;
    await db().insert(importedEntries).values({ entryId: imported, date: '2026-01-15', content: '' });
    await expect(importRevision(userId, imported, revision)).rejects.toEqual(full);
    await db().delete(transcripts).where(eq(transcripts.entryId, entryId));
    await importRevision(userId, imported, revision);
    await db().execute(sql`insert into transcripts (entry_id, revision, words)
      select ${imported}, n, '[]' from generate_series(2, 1000) as n`);
    await importRevision(userId, imported, { ...revision, revision: 500 });
    await expect(importRevision(userId, imported, { ...revision, revision: 1001 })).rejects.toEqual(full);
  });

  it('notes, until something is deleted', async () => {
    const { userId, entryId } = await makeTranscribed(0);
    const rest = await fill(userId, 5);
    await expect(postNote(userId, entryId, { text: 'Too long' })).rejects.toEqual(full);
    expect(await db().$count(notes, eq(notes.entryId, entryId))).toBe(0);
    await db().delete(entries).where(eq(entries.id, rest));
    await postNote(userId, entryId, { text: 'Not anymore' });
  });
});
