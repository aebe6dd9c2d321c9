import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeEntry } from '@/lib/journal/entries/trash';
import { setEntryTags } from '@/lib/journal/tags/service';
import { makeEntryWithContent, makeTag } from '@/test/entry-fixtures';
import { codeOf } from '@/test/error-code';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { search } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let user: string;
let tag: string;

beforeAll(async () => {
  services = await startLocalServices();
  user = (await makeUser()).id;
  tag = await makeTag(user, 'Sea');
  // Of each kind, some that score alike and some that don't.
  for (const nth of [1, 2, 3, 4, 5, 6, 7]) {
    const entry = await makeEntryWithContent(user, {
      title: nth % 3 === 0 ? 'The harbour' : `Day ${nth}`,
      words: `${'harbour '.repeat(nth % 4)} and the sea`,
      note: nth === 4 ? 'harbour' : '',
    });
    await setEntryTags(user, entry, [tag]);
  }
});
afterAll(() => services.end());

/** Every page of a search, by following its cursors. */
async function pagesOf(query: string, limit: number, more: { categories?: string[] } = {}) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = await search(user, { query, categories: [], ...more, limit, cursor });
    pages.push(page);
    cursor = page.next ?? undefined;
  } while (cursor);
  return pages;
}

it.each([
  ['words', 'harbour', false],
  ['a mistyped word', 'harboour', false],
  ['tags alone', '', true],
])('gives a search for %s in pages, each result once and in the same order', async (_, query, isTagged) => {
  const more = { categories: isTagged ? [tag] : [] };
  const [whole] = await pagesOf(query, 100, more);
  expect(whole).toMatchObject({ next: null, total: 7 });
  for (const limit of [1, 2, 3, 7]) {
    const pages = await pagesOf(query, limit, more);
    expect(pages).toHaveLength(Math.ceil(7 / limit));
    expect(pages.flatMap(({ results }) => results)).toEqual(whole?.results);
    expect(pages.every(({ total }) => total === 7)).toBe(true);
  }
});

it('keeps its place when the last result of a page is deleted', async () => {
  const [whole] = await pagesOf('harbour', 100);
  const first = await search(user, { query: 'harbour', categories: [], limit: 3 });
  await removeEntry(user, first.results[2]?.id ?? '');
  const rest = await search(user, {
    query: 'harbour',
    categories: [],
    limit: 100,
    cursor: first.next ?? '',
  });
  expect(rest.results).toEqual(whole?.results.slice(3));
  expect(rest.total).toBe(6);
});

it('rejects a cursor that isn’t one, whatever is searched for', async () => {
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const place = [true, '2026-03-01', '2026-03-01T00:00:00.000000Z', crypto.randomUUID()];
  const good = [place, 0.5, place, false];
  await search(user, { query: 'harbour', categories: [], limit: 3, cursor: encode(good) });
  await search(user, {
    query: 'harbour',
    categories: [],
    limit: 3,
    cursor: encode([place, null, null, true]),
  });
  const wrongPlaces = [['yes'], [true, '2026-02-30'], [true, '2026-03-01', '0000-01-01T00:00:00Z']];
  const wrongStarts = [
    ...wrongPlaces.map((start) => [[...start, ...place.slice(start.length)]]),
    [place, 1e39],
    [place, 0, ['yes']],
    [place, 0, null, 'no'],
  ];
  const wrong = wrongStarts.map((start) => encode([...start, ...good.slice(start.length)]));
  for (const cursor of ['x', '_____w', encode([]), encode(good.slice(0, 3)), ...wrong]) {
    for (const query of ['harbour', '']) {
      const searching = search(user, { query, categories: [], limit: 3, cursor });
      expect([cursor, await codeOf(searching)]).toEqual([cursor, 'validation_failed']);
    }
  }
});
