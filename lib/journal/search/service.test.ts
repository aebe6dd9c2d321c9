import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entryTags, tags } from '@/db/schema/entries';
import { makeEntryWithContent, makeTag, searchEntries, searchEntryIds } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

describe('finding', () => {
  it('finds words by stem, by how the last one begins, without accents and case', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, {
      words: 'We were running along the café, which was wonderful.',
    });
    for (const query of ['runs', 'RUNNING', 'runnin', 'wonderf', 'cafe', 'Café', 'ran running wonderful']) {
      expect([query, await searchEntryIds(user, query)]).toEqual([
        query,
        query.startsWith('ran') ? [] : [day],
      ]);
    }
    expect((await searchEntries(user, 'wonderfu'))[0]?.matches[0]?.start_time).toBe(8);
  });

  it('shows a moment of its own from the first word that the snippet before can’t have', async () => {
    const { id: user } = await makeUser();
    const apart = (words: number) => `harbor ${'walk '.repeat(words - 1)}harbor`;
    await makeEntryWithContent(user, { title: 'near', words: apart(16) });
    await makeEntryWithContent(user, { title: 'far', words: apart(17) });
    const found = await searchEntries(user, 'harbor');
    expect(Object.fromEntries(found.map(({ title, matches }) => [title, matches.length]))).toEqual({
      near: 1,
      far: 2,
    });
  });

  it('overlooks the marks that letters are written with', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, {
      title: 'Hawaiʻi',
      words: 'Ilʹja said ŉ thing about oʻahu',
    });
    for (const query of ['hawaii', "Hawai'i", 'Hawaiʻi', 'Oahu', "o'ahu", 'ilja', 'Ilʹja', "'n thing"]) {
      expect([query, await searchEntryIds(user, query)]).toEqual([query, [day]]);
    }
    expect((await searchEntries(user, 'oahu'))[0]?.matches[0]?.start_time).toBe(5);
  });

  it('finds a phrase of words that can be read in two ways each, whatever its length', async () => {
    const { id: user } = await makeUser();
    const said = (count: number) => Array.from({ length: count }, () => 'x-x').join(' ');
    const day = await makeEntryWithContent(user, { words: said(300) });
    // The ways to read it double with each word.
    const [found] = await searchEntries(user, `"${said(24)}"`);
    expect(found?.id).toBe(day);
    expect(found?.matches[0]?.start_time).toBe(0);
  });

  it('finds in title, tags, transcript and notes, all words wherever they are', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, {
      title: 'Harbour walk',
      words: 'the ferry came late',
      tag: 'Grand father',
      note: 'remember the lighthouse',
    });
    for (const query of [
      'harbour',
      'ferry',
      'father',
      'lighthouse',
      'ferry harbour lighthouse father',
      '"grand father"',
    ]) {
      expect([query, await searchEntryIds(user, query)]).toEqual([query, [day]]);
    }
    expect(await searchEntryIds(user, 'ferry submarine')).toEqual([]);
  });

  it('heeds phrases and words left out', async () => {
    const { id: user } = await makeUser();
    const one = await makeEntryWithContent(user, { words: 'out of the blue he came', date: '2026-01-02' });
    const other = await makeEntryWithContent(user, { words: 'the blue boat was out', date: '2026-01-01' });
    expect(await searchEntryIds(user, 'out blue')).toEqual([one, other]);
    expect(await searchEntryIds(user, '"out of the blue"')).toEqual([one]);
    expect(await searchEntryIds(user, '"blue out"')).toEqual([]);
    expect(await searchEntryIds(user, 'blue -boat')).toEqual([one]);
    expect(await searchEntryIds(user, '-boat')).toEqual([one]);
    expect(await searchEntryIds(user, '-"out of the blue"')).toEqual([other]);
    expect(await searchEntryIds(user, 'the submarine')).toEqual([]);
    expect(await searchEntryIds(user, 'the')).toEqual([one, other]);
  });

  it('finds compounds in one piece and in parts', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, { words: "— My mother-in-law's boat, I don't know" });
    for (const query of ['mother', 'motherinlaw', "mother-in-law's", 'dont', 'don’t know', 'boat']) {
      expect([query, await searchEntryIds(user, query)]).toEqual([query, [day]]);
    }
    expect((await searchEntries(user, 'boat'))[0]?.matches[0]?.start_time).toBe(3);
  });

  it('takes other languages as they are written', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, {
      words: 'fuimos a las playas más bonitas',
      language: 'es',
    });
    expect(await searchEntryIds(user, 'playas mas bonitas')).toEqual([day]);
    expect(await searchEntryIds(user, 'play')).toEqual([day]);
  });

  it('puts title and tags before transcript before notes, several before one, newer before older', async () => {
    const { id: user } = await makeUser();
    const noted = await makeEntryWithContent(user, { note: 'kites kites kites', date: '2026-01-09' });
    const once = await makeEntryWithContent(user, { words: 'we flew kites', date: '2026-01-08' });
    const often = await makeEntryWithContent(user, {
      words: 'kites and kites and kites',
      date: '2026-01-07',
    });
    const older = await makeEntryWithContent(user, { words: 'no kites today', date: '2025-12-08' });
    const titled = await makeEntryWithContent(user, { title: 'Kites', date: '2020-03-01' });
    const both = await makeEntryWithContent(user, { title: 'Kites', words: 'kites', date: '2019-03-01' });
    expect(await searchEntryIds(user, 'kites')).toEqual([both, titled, often, once, older, noted]);
    const tagged = await makeEntryWithContent(user, { tag: 'kite', date: '2018-01-01' });
    expect((await searchEntryIds(user, 'kites')).slice(0, 3)).toContain(tagged);
  });

  it('forgives typing errors when nothing matches', async () => {
    const { id: user } = await makeUser();
    const day = await makeEntryWithContent(user, { words: 'a beautiful afternoon in the mountains' });
    for (const query of ['beutiful', 'mountians', 'afternon in the mountins']) {
      expect([query, await searchEntryIds(user, query)]).toEqual([query, [day]]);
    }
    expect(await searchEntryIds(user, 'zzzzzz')).toEqual([]);
  });

  it('filters by all tags, by dates, and by nothing gives nothing', async () => {
    const { id: user } = await makeUser();
    const both = await makeEntryWithContent(user, { words: 'sun', tag: 'Sea', date: '2026-01-03' });
    const one = await makeEntryWithContent(user, { words: 'sun', date: '2025-01-03' });
    const sea = (await db().select().from(tags).where(eq(tags.userId, user)))[0]?.id ?? '';
    const home = await makeTag(user, 'Home');
    await db()
      .insert(entryTags)
      .values([
        { entryId: both, tagId: home },
        { entryId: one, tagId: home },
      ]);
    expect(await searchEntryIds(user, '', { categories: [home] })).toEqual([both, one]);
    expect(await searchEntryIds(user, '', { categories: [home, sea] })).toEqual([both]);
    expect(await searchEntryIds(user, 'sun', { categories: [sea] })).toEqual([both]);
    expect(await searchEntryIds(user, '🌊', { categories: [] })).toEqual([]);
    expect(await searchEntryIds(user, '')).toEqual([]);
    for (const nonsense of ['nonsense', '\0', sea.replaceAll('-', '')])
      expect(await searchEntryIds(user, 'sun', { categories: [nonsense] })).toEqual([]);
    expect(await searchEntryIds(user, 'sun', { from: '2025-12-31' })).toEqual([both]);
    expect(await searchEntryIds(user, 'sun', { to: '2025-12-31' })).toEqual([one]);
    expect(await searchEntryIds(user, 'sun', { from: '2030-01-01' })).toEqual([]);
  });

  it('finds nobody else’s entries', async () => {
    const { id: user } = await makeUser();
    const { id: other } = await makeUser();
    await makeEntryWithContent(other, { title: 'Secret', words: 'secret', tag: 'secret', note: 'secret' });
    const foreign = (await db().select().from(tags).where(eq(tags.userId, other)))[0]?.id ?? '';
    await makeEntryWithContent(user, { title: 'Mine' });
    expect(await searchEntryIds(user, 'secret')).toEqual([]);
    expect(await searchEntryIds(user, 'secert')).toEqual([]);
    expect(await searchEntryIds(user, '', { categories: [foreign] })).toEqual([]);
  });
});

describe('snippets', () => {
  it('gives up to two, with the time of the first word found and where it is', async () => {
    const { id: user } = await makeUser();
    const words = Array.from({ length: 80 }, (_, second) =>
      [10, 12, 60, 70].includes(second) ? 'Kites,' : `w${second}`,
    );
    await makeEntryWithContent(user, { words: words.join(' ') });
    const [result] = await searchEntries(user, 'kite');
    expect(result?.matches.map(({ start_time }) => start_time)).toEqual([10, 60]);
    for (const { text, marks } of result?.matches ?? []) {
      expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['Kites,', 'Kites,']);
    }
  });

  it('points at the phrase, not at its words elsewhere', async () => {
    const { id: user } = await makeUser();
    await makeEntryWithContent(user, { words: 'morning was not good but this good morning was' });
    const [result] = await searchEntries(user, '"good morning"');
    expect(result?.matches[0]?.start_time).toBe(6);
    expect(result?.matches[0]?.marks).toHaveLength(1);
  });

  it('points at a word of several parts, not at its first part elsewhere', async () => {
    const { id: user } = await makeUser();
    const before = 'my mother said that it rained all day and that nobody had come before my';
    await makeEntryWithContent(user, { words: `${before} mother-in-law` });
    const [result] = await searchEntries(user, 'mother-in-law');
    expect(result?.matches.map(({ start_time }) => start_time)).toEqual([before.split(' ').length]);
  });
});

describe('anything a person types', () => {
  it('is no error', async () => {
    const { id: user } = await makeUser();
    await makeEntryWithContent(user, { title: "O'Brien's", words: 'it is 5 o’clock \\ here' });
    expect(await searchEntryIds(user, "o'brien")).toHaveLength(1);
    const nasty = fc.constantFrom(
      ...'\'"\\:*&|!<->() ~^#%_\0\u0001éß½日🌊-a1',
      'the',
      ' -',
      '" ',
      '<->',
      ':*',
    );
    const query = fc.oneof(
      fc.array(nasty, { maxLength: 25 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    await fc.assert(
      fc.asyncProperty(query, async (typed) => {
        expect(Array.isArray(await searchEntries(user, typed))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
