import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { encodeAccess } from '@/lib/account/sessions/tokens';
import { TEST_SETTINGS } from '@/test/app-database';
import { accountOf } from './request-account';

beforeEach(() => {
  Object.assign(process.env, { ...TEST_SETTINGS, DATABASE_URL: 'postgres://localhost/none' });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const withCookie = (cookie?: string) => ({ headers: { cookie } }) as IncomingMessage;
const tokenOf = (userId: string, seconds?: number) =>
  encodeAccess({ userId, sessionId: 'none', verified: true }, seconds);

it('reads the account from the session’s cookie, wherever it stands, and remembers it', async () => {
  const token = await tokenOf('ada');
  for (const cookie of [`next-auth.session-token=${token}`, `a=b;next-auth.session-token=${token}; c=d`]) {
    expect(await accountOf(withCookie(cookie))).toBe('ada');
  }
  expect(accountOf(withCookie(`next-auth.session-token=${token}`))).toBe('ada');
});

it('believes nothing that isn’t encrypted for this site', async () => {
  const [head, , ...rest] = (await tokenOf('ada')).split('.');
  for (const cookie of [
    undefined,
    '',
    'next-auth.session-token=',
    'next-auth.session-token=ada',
    `next-auth.session-token=${[head, 'x', ...rest].join('.')}`,
    `other.next-auth.session-token=${await tokenOf('ada')}`,
  ]) {
    expect(await accountOf(withCookie(cookie))).toBeUndefined();
  }
});

it('doesn’t go on to take an expired token for its account', async () => {
  const cookie = `next-auth.session-token=${await tokenOf('ada', 90)}`;
  expect(await accountOf(withCookie(cookie))).toBe('ada');
  vi.advanceTimersByTime(80_000);
  expect(await accountOf(withCookie(cookie))).toBe('ada');
  vi.advanceTimersByTime(80_000);
  expect(await accountOf(withCookie(cookie))).toBeUndefined();
});
