import { expect, it } from 'vitest';
import { listEntries } from '@/lib/journal/entries/contract';
import { pagedResponse } from './paged-response';

const page = { items: [], next: null, total: null };

it.each([
  ['nothing more on the last page that wasn’t counted', page, null, null],
  ['the total, even if it’s none', { ...page, total: 0 }, '0', null],
  [
    'the address of the page that follows, with the other parameters',
    { ...page, next: 'later/1', total: 70 },
    '70',
    '</api/v1/entries?tag=a&tag=b&cursor=later%2F1>; rel="next"',
  ],
])('says %s', async (_, given, total, link) => {
  const response = pagedResponse(listEntries, new URLSearchParams('tag=a&tag=b&cursor=earlier'), given);
  expect(await response.json()).toEqual([]);
  expect([response.headers.get('x-total-count'), response.headers.get('link')]).toEqual([total, link]);
});
