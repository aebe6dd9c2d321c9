import { search, summarizeSearch } from '@/lib/journal/search/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectError } from './response-assertions';

test('search results come in pages, with the total and a link to the next page', async ({ account, sql }) => {
  const { api } = account;
  const userId = await userIdOf(sql, account.email);
  for (const title of ['Harbor & pier', 'A harbor', 'Harbor', 'Old harbor', 'Harbors']) {
    await insertEntry(sql, userId, { title });
  }
  const all = await api.call(search, { query: { query: 'harbor', to: '2026-12-31' } });
  expect(all).toHaveLength(5);

  const ids: string[] = [];
  let path: string | undefined = '/api/v1/search?query=harbor&to=2026-12-31&limit=2';
  while (path) {
    const response: Response = await api.send('GET', path);
    ids.push(...search.response.parse(await response.json()).map(({ id }) => id));
    expect(response.headers.get('x-total-count')).toBe('5');
    path = /^<(\/api\/v1\/search\?[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect(ids).toEqual(all.map(({ id }) => id));

  const nothing = await api.sendOperation(search, { query: { query: '' } });
  expect([nothing.headers.get('x-total-count'), nothing.headers.get('link')]).toEqual(['0', null]);
  for (const query of [{ limit: 0 }, { limit: 101 }, { query: 'harbor', cursor: 'mine' }]) {
    await expectError(await api.sendOperation(search, { query: query as never }), 'validation_failed');
  }
});

test('every one of more than a hundred results is reached, and they are counted unless asked not to', async ({
  account,
  newAccount,
  sql,
}) => {
  const { api } = account;
  const userId = await userIdOf(sql, account.email);
  for (let nth = 0; nth < 105; nth += 1) {
    await insertEntry(sql, userId, { title: 'Harbor', date: nth < 5 ? '2024-02-29' : '2025-01-31' });
  }
  const ids: string[] = [];
  let path: string | undefined = '/api/v1/search?query=harbor&limit=40';
  while (path) {
    const response: Response = await api.send('GET', path);
    ids.push(...search.response.parse(await response.json()).map(({ id }) => id));
    expect(response.headers.get('x-total-count')).toBe('105');
    path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect([ids.length, new Set(ids).size]).toEqual([105, 105]);

  const uncounted = await api.send('GET', '/api/v1/search?query=harbor&limit=40&count=false');
  expect(uncounted.headers.get('x-total-count')).toBeNull();
  expect(uncounted.headers.get('link')).toContain('count=false');
  await expectError(await api.send('GET', '/api/v1/search?query=harbor&count=maybe'), 'validation_failed');

  const years = [
    { year: 2025, entries: 100 },
    { year: 2024, entries: 5 },
  ];
  expect(await api.call(summarizeSearch, { query: { query: 'harbor' } })).toMatchObject({
    total: 105,
    years,
  });
  const early = await api.call(summarizeSearch, { query: { query: 'harbor', to: '2024-12-31' } });
  expect(early).toMatchObject({ total: 5, years });
  const stranger = await newAccount();
  expect(await stranger.api.call(summarizeSearch, { query: { query: 'harbor' } })).toMatchObject({
    total: 0,
  });
});
