import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@/lib/foundation/contract/errors';
import { useFreshDatabase } from '@/test/app-database';
import { assertSameOrigin } from './origin';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const check = (method: string, headers: Record<string, string>) => () =>
  assertSameOrigin(method, new Headers(headers));

const refused = new AppError('cross_site_request');

describe.each(['POST', 'GET'])('a %s that changes state', (method) => {
  it.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }],
    [
      'our own page, reached by another of our names',
      { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' },
    ],
    ['an old browser on our own page', { origin: 'http://localhost:3000' }],
  ])('is let through from %s', (_, headers: Record<string, string>) => {
    expect(check(method, headers)).not.toThrow();
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'another site that also claims our origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000', referer: 'http://localhost:3000/' },
    ],
    ['another host of our domain', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed, a link in an email or a bookmark', { 'sec-fetch-site': 'none' }],
    ['a value that no browser sends', { 'sec-fetch-site': 'same-origin, same-origin' }],
    ['an old browser on another site', { origin: 'https://elsewhere.example' }],
    [
      'another site with our referrer',
      { origin: 'https://elsewhere.example', referer: 'http://localhost:3000/' },
    ],
    ['an old browser in a sandbox', { origin: 'null' }],
    ['our host on another port', { origin: 'http://localhost:3001' }],
    ['our host without encryption turned on or off', { origin: 'https://localhost:3000' }],
  ])('is refused from %s', (_, headers: Record<string, string>) => {
    expect(check(method, headers)).toThrow(refused);
  });
});

it('lets a POST through that no browser sent', () => {
  expect(check('POST', {})).not.toThrow();
});

describe('a GET that changes state, without Fetch Metadata and Origin', () => {
  it('is let through from our own page', () => {
    expect(check('GET', { referer: 'http://localhost:3000/entry/1/A%20day' })).not.toThrow();
  });

  it.each([
    ['no referrer', {}],
    ['an empty referrer', { referer: '' }],
    ['a referrer that is no address', { referer: 'about' }],
    ['another site', { referer: 'https://elsewhere.example/http://localhost:3000/' }],
    ['a name that begins with ours', { referer: 'http://localhost:3000.elsewhere.example/' }],
    ['our name as a user', { referer: 'http://localhost:3000@elsewhere.example/' }],
  ])('is refused with %s', (_, headers: Record<string, string>) => {
    expect(check('GET', headers)).toThrow(refused);
  });
});
