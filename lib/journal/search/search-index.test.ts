import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { journalMonths, searchWords } from '@/db/schema/search';
import { transcripts } from '@/db/schema/transcripts';
import { changeDates } from '@/lib/journal/bulk/service';
import {
  addNote,
  addTranscript,
  makeEntryWithContent,
  makeTag,
  searchEntries,
  searchEntryIds,
} from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('the index', () => {
  it('follows every change at once', async () => {
    const { id: user } = await makeUser();
    const id = await makeEntryWithContent(user, {
      title: 'Before',
      words: 'alpha',
      tag: 'Garden',
      note: 'pebble',
    });
    await addTranscript(id, 'omega', 1);
    expect([await searchEntryIds(user, 'alpha'), await searchEntryIds(user, 'omega')]).toEqual([[], [id]]);
    await db().update(entries).set({ title: 'After', date: '1999-05-05' }).where(eq(entries.id, id));
    expect([await searchEntryIds(user, 'before'), await searchEntryIds(user, 'after omega')]).toEqual([
      [],
      [id],
    ]);
    await db().update(tags).set({ name: 'Orchard' }).where(eq(tags.userId, user));
    expect([await searchEntryIds(user, 'garden'), await searchEntryIds(user, 'orchard')]).toEqual([[], [id]]);
    await db().delete(tags).where(eq(tags.userId, user));
    expect(await searchEntryIds(user, 'orchard')).toEqual([]);
    await db().delete(notes).where(eq(notes.entryId, id));
    expect(await searchEntryIds(user, 'pebble')).toEqual([]);
    await db().update(entries).set({ trashedAt: new Date() }).where(eq(entries.id, id));
    expect(await searchEntryIds(user, 'after')).toEqual([]);
    expect(await db().select().from(searchWords).where(eq(searchWords.userId, user))).toEqual([]);
    await db().update(entries).set({ trashedAt: null }).where(eq(entries.id, id));
    expect(await searchEntryIds(user, 'after omega')).toEqual([id]);
  });

  it('takes a tag off one entry without touching its others', async () => {
    const { id: user } = await makeUser();
    const [one, other] = [await makeEntryWithContent(user, {}), await makeEntryWithContent(user, {})];
    const tagId = await makeTag(user, 'Garden');
    await db()
      .insert(entryTags)
      .values([
        { entryId: one, tagId },
        { entryId: other, tagId },
      ]);
    await db()
      .delete(entryTags)
      .where(and(eq(entryTags.entryId, one), eq(entryTags.tagId, tagId)));
    expect(await searchEntryIds(user, 'garden')).toEqual([other]);
  });

  it('keeps both of two changes made at once', async () => {
    const { id: user } = await makeUser();
    const id = await makeEntryWithContent(user, { words: 'alpha' });
    await Promise.all(Array.from({ length: 10 }, (_, n) => addNote(id, `pebble${n}`)));
    for (let n = 0; n < 10; n += 1) expect(await searchEntryIds(user, `pebble${n}`)).toEqual([id]);
  });

  it.each(['notes', 'transcripts', 'tags'] as const)(
    'keeps a change of %s that’s made at the same moment as a note',
    async (kind) => {
      const { id: user } = await makeUser();
      const id = await makeEntryWithContent(user, { title: 'A day' });
      const tagId = await makeTag(user, 'Pebble');
      const { waited, outcome } = await duringTransaction(
        (tx) =>
          ({
            notes: () => tx.insert(notes).values({ id: randomUUID(), entryId: id, text: 'pebble' }),
            transcripts: () =>
              tx.insert(transcripts).values({ entryId: id, revision: 0, words: [['pebble', 0, 1]] }),
            tags: () => tx.insert(entryTags).values({ entryId: id, tagId }),
          })[kind](),
        () => addNote(id, 'feather'),
      );
      expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
      expect(await searchEntryIds(user, 'feather')).toEqual([id]);
      expect(await searchEntryIds(user, 'pebble')).toEqual([id]);
    },
  );

  it('refuses no save, however many different words it has', async () => {
    const { id: user } = await makeUser();
    const id = await makeEntryWithContent(user, { title: 'Endless' });
    await addTranscript(
      id,
      Array.from({ length: 75_000 }, (_, n) =>
        String.fromCodePoint(0x20000 + (n % 40_000), 0x4e00 + (n >> 12)),
      ).join(' '),
    );
    expect(await searchEntryIds(user, 'endless')).toEqual([id]);
  });

  it('gives each word one position, whatever it is', async () => {
    const { id: user } = await makeUser();
    const strange = [
      '3e5',
      '1.5',
      'a@b.co',
      'http://x.y/z?q=1',
      '½',
      '²',
      '5km',
      'x_y',
      "'",
      '—',
      'ŉ',
      'ŉ/n',
      'Ilʹja/Anna',
      'ß',
      '日本',
      '-7',
      '<b>',
      '&amp;',
      '1st',
      '0x1F',
      'a/b',
    ];
    await makeEntryWithContent(user, { words: [...strange, 'lighthouse'].join(' ') });
    expect((await searchEntries(user, 'lighthouse'))[0]?.matches[0]?.start_time).toBe(strange.length);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 30 }),
        async (words) => {
          const { id: owner } = await makeUser();
          const one = words.map((word) => word.replace(/[\s\0]/gu, '_'));
          await makeEntryWithContent(owner, { words: [...one, 'lighthouse'].join(' ') });
          expect((await searchEntries(owner, '"lighthouse"'))[0]?.matches[0]?.start_time).toBe(one.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the counts of words and days', () => {
  const say = (tx: Pick<ReturnType<typeof db>, 'insert'>, entryId: string, revision: number, text: string) =>
    tx
      .insert(transcripts)
      .values({ entryId, revision, words: text.split(' ').map((word, n) => [word, n, n]) });

  it.each<[string, string, (userId: string, entryId: string) => Promise<unknown>]>([
    ['words are added', 'plum', (_, entryId) => say(db(), entryId, 1, 'apple berry cherry')],
    ['words are taken out', 'apple berry cherry', (_, entryId) => say(db(), entryId, 1, 'plum')],
    [
      'many entries are changed',
      'apple berry cherry',
      (userId, entryId) => changeDates(userId, [entryId], { days: 1 }),
    ],
  ])('aren’t locked in different orders when %s', async (_, before, work) => {
    const { id: userId } = await makeUser();
    const others = await Promise.all(
      Array.from({ length: 3 }, () => makeEntryWithContent(userId, { title: 'A' })),
    );
    const [other = '', last = '', entryId = ''] = others;
    await say(db(), entryId, 0, before);
    for (const one of [other, last]) await say(db(), one, 0, 'plum');
    const { waited, outcome } = await duringTransaction(
      // Between the others, so that whichever is counted first is counted last here.
      (tx) => say(tx, other, 1, 'berry'),
      () => work(userId, entryId),
      { finish: (tx) => say(tx, last, 1, 'apple cherry') },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
  });

  it('aren’t locked in different orders when entries move to each other’s months', async () => {
    const { id: userId } = await makeUser();
    const make = (date: string) => makeEntryWithContent(userId, { title: 'A', date });
    const [one, other] = [await make('2026-01-01'), await make('2026-03-01')];
    const [january, march] = [await make('2026-01-02'), await make('2026-03-02')];
    const move = (tx: Pick<ReturnType<typeof db>, 'update'>, id: string, date: string) =>
      tx.update(entries).set({ date }).where(eq(entries.id, id));
    const { waited, outcome } = await duringTransaction(
      (tx) => move(tx, other, '2026-03-09'),
      () => move(db(), january, '2026-03-10'),
      {
        finish: async (tx) => {
          await move(tx, one, '2026-01-09');
          await move(tx, march, '2026-01-10');
        },
      },
    );
    expect([waited, outcome.status]).toEqual([true, 'fulfilled']);
    const months = await db().select().from(journalMonths).where(eq(journalMonths.userId, userId));
    expect(months.map((row) => row.entries)).toEqual([2, 2]);
  });
});
