import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { vocabulary } from '@/db/schema/transcripts';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { createImport } from '@/lib/portability/imports/history/service';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { publishTranscript, said, storedWords } from '@/test/transcript-fixtures';
import { learnFromCorrections } from './learn';
import { restoreRevision, saveTranscription } from './revisions';
import { addVocabulary, changeVocabulary, forgetImportedWords, vocabularyOf } from './vocabulary';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Makes an entry in which an engine heard this. */
async function heard(userId: string, text: string, language = 'en') {
  const { id: entryId } = await makeEntry(userId, { durationMs: null });
  await publishTranscript(
    { userId, entryId },
    { words: storedWords(text), language, estimated: false, engine: 'whisper-1' },
  );
  return async (corrected: string) => {
    await saveTranscription(userId, entryId, said(corrected));
    await learnFromCorrections({ userId, entryId });
    return entryId;
  };
}

describe('the words a person has corrected', () => {
  it('are the latest 200', async () => {
    const { id: userId } = await makeUser();
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const words = Array.from({ length: 201 }, (_, n) => ({ userId, word: `Name${n}`, updatedAt: at(n) }));
    await db().insert(vocabulary).values(words);
    const latest = words.slice(1).map(({ word }) => word);
    expect(await vocabularyOf(userId)).toEqual(latest.reverse());
  });

  it('are learned from a correction, for that person only', async () => {
    const [{ id: userId }, { id: stranger }] = [await makeUser(), await makeUser()];
    const correct = await heard(userId, 'I called Chevonne and drank com bucha');
    await correct('I called Siobhan and drank kombucha');
    expect(await vocabularyOf(userId)).toEqual(['Siobhan', 'kombucha']);
    expect(await vocabularyOf(stranger)).toEqual([]);
  });

  it('are forgotten when the correction is taken back', async () => {
    const { id: userId } = await makeUser();
    const correct = await heard(userId, 'I called Chevonne and Neve today');
    await correct('I called Siobahn and Niamh today');
    expect(await vocabularyOf(userId)).toEqual(expect.arrayContaining(['Siobahn', 'Niamh']));
    await correct('I called Siobhan and Niamh today');
    expect((await vocabularyOf(userId)).sort()).toEqual(['Niamh', 'Siobhan']);
    const entryId = await correct('I called Siobhan and Neve today');
    expect(await vocabularyOf(userId)).toEqual(['Siobhan']);
    await restoreRevision(userId, entryId, 0);
    await learnFromCorrections({ userId, entryId });
    expect(await vocabularyOf(userId)).toEqual([]);
  });

  it('stay when another entry’s correction doesn’t have them', async () => {
    const { id: userId } = await makeUser();
    await (await heard(userId, 'I called Chevonne'))('I called Siobhan');
    await (await heard(userId, 'we met Anna and Siobhan'))('we met Ana and Shannon');
    expect((await vocabularyOf(userId)).sort()).toEqual(['Ana', 'Shannon', 'Siobhan']);
  });

  it('aren’t learned from other languages', async () => {
    const { id: userId } = await makeUser();
    await (await heard(userId, 'wir haben ein Maus', 'de'))('wir haben ein Haus');
    expect(await vocabularyOf(userId)).toEqual([]);
  });

  it('are the latest 200, and other terms make room for names', async () => {
    const { id: userId } = await makeUser();
    await (await heard(userId, 'we drank com bucha'))('we drank kombucha');
    const name = (index: number) =>
      `N${'abcdefghij'[Math.floor(index / 26)]}${String.fromCharCode(97 + (index % 26))}`;
    for (const first of [0, 120]) {
      const names = Array.from({ length: 120 }, (_, index) => name(first + index));
      await (await heard(userId, names.map(() => 'we saw this').join(' ')))(
        names.map((one) => `we saw ${one}`).join(' '),
      );
    }
    const words = await vocabularyOf(userId);
    expect(words).toHaveLength(200);
    expect(words).not.toContain('kombucha');
    expect(words.slice(0, 120).sort()).toEqual(
      Array.from({ length: 120 }, (_, index) => name(120 + index)).sort(),
    );
  });

  it('survive two corrections at once', async () => {
    const { id: userId } = await makeUser();
    const corrections = await Promise.all([1, 2, 3, 4].map(() => heard(userId, 'we saw anna and neve and')));
    const texts = ['we saw Ana and Niamh and', 'we saw Niamh and Ana and'];
    await Promise.all(corrections.map((correct, index) => correct(texts[index % 2] ?? '')));
    await Promise.all(corrections.map((correct) => correct('we saw anna and neve and')));
    expect(await vocabularyOf(userId)).toEqual([]);
  });

  it('are deleted with the account', async () => {
    const { id: userId } = await makeUser();
    await (await heard(userId, 'I called Chevonne'))('I called Siobhan');
    await db().delete(users).where(eq(users.id, userId));
    expect(await db().select().from(vocabulary).where(eq(vocabulary.userId, userId))).toEqual([]);
  });
});

it('words are forgotten with the entry that taught them, and no others', async () => {
  const { id: userId } = await makeUser();
  // Too short for the search index, by which words would be kept that another entry has.
  await (await heard(userId, 'we saw anna'))('we saw Ana');
  const gone = await (await heard(userId, 'Ana saw eva'))('Una saw Eve');
  await removeEntry(userId, gone);
  expect((await vocabularyOf(userId)).toSorted()).toEqual(['Ana', 'Eve']);
  await purgeEntry(userId, gone);
  expect(await vocabularyOf(userId)).toEqual(['Ana']);
});

describe('changes of a person’s words at once', () => {
  const words = (letter: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${letter}${String(n).padStart(3, '0')}`);
  const learn = (userId: string, learned: string[]) => (tx: Parameters<typeof changeVocabulary>[0]) =>
    changeVocabulary(tx, userId, { learned, forgotten: [] });
  const newImport = async (userId: string) =>
    (await createImport(userId, { kind: 'daylight', name: 'A' })).id;

  it('leave 200 at most', async () => {
    const { id: userId } = await makeUser();
    const { waited } = await duringTransaction(learn(userId, words('a', 150)), () =>
      db().transaction(learn(userId, words('b', 150))),
    );
    expect([waited, await db().$count(vocabulary, eq(vocabulary.userId, userId))]).toEqual([true, 200]);
  });

  it('are added by an import as far as there’s space', async () => {
    const { id: userId } = await makeUser();
    await db().transaction(learn(userId, words('a', 198)));
    const importId = await newImport(userId);
    const add = (added: string[]) =>
      db().transaction((tx) => addVocabulary(tx, { userId, importId }, added, new Date()));
    await add(words('b', 3));
    const known = await vocabularyOf(userId);
    expect([known.length, known.filter((word) => word.startsWith('b')).length]).toEqual([200, 2]);
    await add(words('c', 3));
    expect((await vocabularyOf(userId)).toSorted()).toEqual(known.toSorted());
    expect(await db().$count(vocabulary, eq(vocabulary.userId, userId))).toBe(200);
  });

  it('leave a word to the correction that teaches it while an import adds it', async () => {
    const { id: userId } = await makeUser();
    const importId = await newImport(userId);
    const { waited, outcome } = await duringTransaction(learn(userId, ['Siobhan']), () =>
      db().transaction((tx) => addVocabulary(tx, { userId, importId }, ['Niamh', 'Siobhan'], new Date())),
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    const stored = await db()
      .select()
      .from(vocabulary)
      .where(eq(vocabulary.userId, userId))
      .orderBy(vocabulary.word);
    expect(stored.map((row) => [row.word, row.importId])).toEqual([
      ['Niamh', importId],
      ['Siobhan', null],
    ]);
  });

  it('don’t lock words in different orders: the permanent deletion of an entry and a correction', async () => {
    const { id: userId } = await makeUser();
    // No entry has these, as far as the search index knows, since they're short.
    const entryId = await (await heard(userId, 'we saw anna and eva and neve'))('we saw Ana and Eve and Nia');
    await removeEntry(userId, entryId);
    const { waited, outcome } = await duringTransaction(
      // Between the others, so that whichever the deletion forgets first is taught last.
      learn(userId, ['Eve']),
      () => purgeEntry(userId, entryId),
      { finish: learn(userId, ['Nia', 'Ana']) },
    );
    expect([waited, outcome.status]).toEqual([false, 'fulfilled']);
    expect((await vocabularyOf(userId)).toSorted()).toEqual(['Ana', 'Eve', 'Nia']);
  });

  it('don’t lock words in different orders: an import’s undo and a correction', async () => {
    const { id: userId } = await makeUser();
    const importId = await newImport(userId);
    const add = (tx: Parameters<typeof changeVocabulary>[0]) =>
      addVocabulary(tx, { userId, importId }, ['Anna', 'Niamh', 'Siobhan'], new Date());
    await db().transaction(add);
    const { waited, outcome } = await duringTransaction(
      // Between the others, so that whichever the import forgets first is taught last.
      learn(userId, ['Niamh']),
      () => db().transaction((tx) => forgetImportedWords(tx, userId, importId)),
      { finish: learn(userId, ['Siobhan', 'Anna']) },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    expect((await vocabularyOf(userId)).toSorted()).toEqual(['Anna', 'Niamh', 'Siobhan']);
  });
});
