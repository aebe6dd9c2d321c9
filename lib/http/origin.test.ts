import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { AppError } from './errors';
import { assertSameOrigin } from './origin';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const check = (headers: Record<string, string>) => () => assertSameOrigin(new Headers(headers));

describe('a state change', () => {
  it.each([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }],
    [
      'our own page, reached by another of our names',
      { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' },
    ],
    ['an old browser on our own page', { origin: 'http://localhost:3000' }],
    ['a program that is no browser', {}],
  ])('is let through from %s', (_, headers: Record<string, string>) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'another site that also claims our origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    ],
    ['another host of our domain', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed, a link in a mail or a bookmark', { 'sec-fetch-site': 'none' }],
    ['a value that no browser sends', { 'sec-fetch-site': 'same-origin, same-origin' }],
    ['an old browser on another site', { origin: 'https://elsewhere.example' }],
    ['an old browser in a sandbox', { origin: 'null' }],
    ['our host on another port', { origin: 'http://localhost:3001' }],
    ['our host without encryption turned on or off', { origin: 'https://localhost:3000' }],
  ])('is refused from %s', (_, headers: Record<string, string>) => {
    expect(check(headers)).toThrow(new AppError('cross_site_request'));
  });
});
