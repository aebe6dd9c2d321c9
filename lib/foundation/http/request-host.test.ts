import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { TEST_SETTINGS } from '@/test/app-database';
import { isForSite, logOtherHost } from './request-host';

const logged = vi.spyOn(log, 'warn');

beforeAll(() => {
  const settings = {
    ...TEST_SETTINGS,
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    APP_URL: 'https://journal.test',
    SERVERLESS: '1',
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
});
afterAll(() => vi.unstubAllEnvs());
beforeEach(() => {
  logged.mockClear();
  perProcess('other-hosts', () => new Set()).clear();
});

const texts = () => logged.mock.calls.map(([, text]) => text);

it('knows the site’s host, also behind a proxy', () => {
  expect(isForSite(new Headers({ host: 'journal.test' }))).toBe(true);
  expect(isForSite(new Headers({ host: 'inner.test', 'x-forwarded-host': 'Journal.test' }))).toBe(true);
  expect(isForSite(new Headers({ host: 'journal.test', 'x-forwarded-host': 'other.test' }))).toBe(false);
  expect(isForSite(new Headers({ host: 'journal.test:443' }))).toBe(true);
  expect(isForSite(new Headers({ host: 'journal.test:8443' }))).toBe(false);
  expect(isForSite(new Headers())).toBe(false);
});

it('says once for each other host what doesn’t work there', () => {
  for (let n = 0; n < 3; n += 1) logOtherHost(new Headers({ host: 'daylight-abc.test' }));
  expect(texts()).toEqual([
    'Requests arrive for daylight-abc.test, but APP_URL is https://journal.test. People who open daylight-abc.test can’t ' +
      'sign in with passkeys or upload, because the bucket’s CORS rule names APP_URL.',
  ]);
});

it('says nothing about the site’s own host, this machine, or what is no host', () => {
  for (const host of [
    'journal.test',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'a"b\\',
    'a.test\tb',
    '',
  ])
    logOtherHost(new Headers({ host }));
  expect(texts()).toEqual([]);
});

it('names only a few hosts, as anybody can ask for any', () => {
  for (let n = 0; n < 100; n += 1) logOtherHost(new Headers({ host: `${n}.test` }));
  expect(texts().length).toBeLessThan(10);
});
