import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { highlights, type StoredWord, transcripts } from '@/db/schema/transcripts';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { getHighlights } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const spoken = (text: string): StoredWord[] =>
  text.split(' ').map((word, index) => [word, index / 2, index / 2 + 0.4]);

async function makeSpokenEntry(userId: string, text: string) {
  const entry = await makeEntry(userId);
  await db()
    .insert(transcripts)
    .values({ entryId: entry.id, revision: 0, words: spoken(text) });
  return entry;
}

const textOf = async (userId: string, entryId: string) =>
  (await getHighlights(userId, [entryId]))
    .get(entryId)
    ?.map(({ word }) => word)
    .join(' ');

describe('highlights', () => {
  it('have their words’ times, and are stored once they’ve been picked', async () => {
    const { id: owner } = await makeUser();
    const { id } = await makeSpokenEntry(owner, 'Hi there. I carried the bulbs anyway in the deep snow.');
    const words = (await getHighlights(owner, [id])).get(id);
    expect(words?.[0]).toEqual({ word: 'I', start_time: 1, end_time: 1.4 });
    expect(words?.at(-1)?.word).toBe('snow.');
    const [stored] = await db().select().from(highlights).where(eq(highlights.entryId, id));
    expect(stored?.words).toHaveLength(9);
  });

  it('follow corrections of the transcript', async () => {
    const { id: owner } = await makeUser();
    const { id } = await makeSpokenEntry(owner, 'I carried the bulbs anyway in the deep slow.');
    expect(await textOf(owner, id)).toContain('slow.');
    const words = spoken('I carried the bulbs anyway in the deep snow.');
    await db().insert(transcripts).values({ entryId: id, revision: 1, words });
    expect(await textOf(owner, id)).toContain('snow.');
  });

  it('leave out entries of others, in the trash, and without words', async () => {
    const [{ id: owner }, { id: other }] = [await makeUser(), await makeUser()];
    const own = await makeSpokenEntry(owner, 'I carried the bulbs anyway in the deep snow.');
    const silent = await makeEntry(owner, { transcriptStatus: 'no_speech' });
    const foreign = await makeSpokenEntry(other, 'We laughed until the kettle boiled over.');
    const found = await getHighlights(owner, [own.id, silent.id, foreign.id]);
    expect([...found.keys()]).toEqual([own.id]);
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, own.id));
    expect(await getHighlights(owner, [own.id])).toEqual(new Map());
  });

  it('aren’t picked from a transcript that’s being changed', async () => {
    const { id: owner } = await makeUser();
    const { id } = await makeSpokenEntry(owner, 'I carried the bulbs anyway in the deep slow.');
    await db().transaction(async (tx) => {
      await tx.select().from(entries).where(eq(entries.id, id)).for('update');
      expect(await getHighlights(owner, [id])).toEqual(new Map());
      const words = spoken('I carried the bulbs anyway in the deep snow.');
      await tx.insert(transcripts).values({ entryId: id, revision: 1, words });
    });
    expect(await textOf(owner, id)).toContain('snow.');
  });

  it('don’t wait for an entry that’s being changed, and are picked for the others', async () => {
    const { id: owner } = await makeUser();
    const text = 'I carried the bulbs anyway in the deep snow.';
    const [changing, other] = [await makeSpokenEntry(owner, text), await makeSpokenEntry(owner, text)];
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.select().from(entries).where(eq(entries.id, changing.id)).for('update'),
      async () => [...(await getHighlights(owner, [changing.id, other.id])).keys()],
    );
    expect([waited, outcome]).toEqual([false, { status: 'fulfilled', value: [other.id] }]);
  });

  it('are picked once when two pages show an entry for the first time', async () => {
    const { id: owner } = await makeUser();
    const { id } = await makeSpokenEntry(owner, 'I carried the bulbs anyway in the deep snow.');
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.insert(highlights).values({ entryId: id, words: spoken('Theirs') }),
      () => textOf(owner, id),
    );
    expect([waited, outcome]).toMatchObject([
      true,
      { status: 'fulfilled', value: expect.stringContaining('bulbs') },
    ]);
    expect(await textOf(owner, id)).toBe('Theirs');
  });
});
