import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { readPageHeaders, setPageHeaders } from './page-headers';

beforeEach(() => {
  for (const [name, value] of Object.entries(TEST_SETTINGS)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', 'postgres://nowhere');
});
afterEach(() => vi.unstubAllEnvs());

const PAGE = { nonce: 'bm9uY2U=', path: '/entry/1?t=2', isSessionUnknown: false };

it('hands a page what middleware has said, in place of what the client has', () => {
  const headers = new Headers({ 'x-nonce': 'mine', 'x-path': '/mine', 'x-session-unknown': '1' });
  setPageHeaders(headers, PAGE);
  expect(readPageHeaders(headers)).toEqual(PAGE);
  setPageHeaders(headers, { ...PAGE, isSessionUnknown: true });
  expect(readPageHeaders(headers)?.isSessionUnknown).toBe(true);
});

it('ignores what a client says where middleware hasn’t run', () => {
  const claimed = { 'x-nonce': 'mine', 'x-path': '/offline', 'x-session-unknown': '1' };
  expect(readPageHeaders(new Headers(claimed))).toBeNull();
  for (const key of ['', 'mine', 'null', 'undefined']) {
    expect(readPageHeaders(new Headers({ ...claimed, 'x-page-key': key }))).toBeNull();
  }
});
