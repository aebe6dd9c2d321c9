import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { sessionCookies } from './cookies';
import { setTransportSecurity } from './transport-security';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ site: 'https://journal.example' });
});
afterAll(() => takeDown());

it('on https the cookies are Secure and bound to the host, and HSTS is sent', () => {
  const cookies = sessionCookies({
    ...{ access: 'a', accessExpiresAt: new Date(), refresh: 'r', refreshExpiresAt: new Date() },
    device: 'd',
  });
  expect(cookies.map((cookie) => cookie.name)).toEqual([
    '__Secure-next-auth.session-token',
    '__Host-daylight.refresh',
    '__Host-daylight.device',
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax', path: '/' });
  }
  const headers = new Headers();
  setTransportSecurity(headers);
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}; includeSubDomains$/);
});
