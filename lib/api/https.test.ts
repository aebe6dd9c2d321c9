import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { startOAuthProviders } from '@/e2e/oauth-providers';
import { sessionCookies } from '@/lib/account/sessions/cookies';
import { createSession } from '@/lib/account/sessions/create-session';
import { AppError } from '@/lib/foundation/contract/errors';
import { middleware } from '@/middleware';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newClientInfo } from '@/test/client-info';
import { createNextAuthBrowser } from '@/test/next-auth-browser';
import { rawRoute } from './endpoint';
import { openApiDocument } from './openapi';

let takeDown: () => Promise<void>;
let providers: Awaited<ReturnType<typeof startOAuthProviders>>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ site: 'https://journal.example' });
  providers = await startOAuthProviders();
  Object.assign(process.env, providers.env, { NEXTAUTH_URL: 'https://journal.example' });
});
afterAll(() => Promise.all([takeDown(), providers.stop()]));

it('on https the cookies are Secure and bound to the host', () => {
  const cookies = sessionCookies({
    access: 'a',
    accessExpiresAt: new Date(),
    refresh: 'r',
    refreshExpiresAt: new Date(),
    device: 'd',
  });
  expect(cookies.filter(({ value }) => value).map((cookie) => cookie.name)).toEqual([
    '__Host-next-auth.session-token',
    '__Host-daylight.refresh',
    '__Host-daylight.device',
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax', path: '/' });
  }
});

it('every answer of a route holds browsers to https', async () => {
  const answers = [
    rawRoute(async () => Response.json({})),
    rawRoute(async () => {
      throw new AppError('not_found');
    }),
  ].map((route) => route(new NextRequest('https://journal.example/api/anything'), {}));
  for (const response of await Promise.all(answers))
    expect(response.headers.get('strict-transport-security')).toBe('max-age=63072000');
});

it('keeps someone signed in by the refresh cookie, whose access cookie isn’t bound to the host', async () => {
  const userId = await addUser('ada@example.com');
  const { refresh, access } = await db().transaction((tx) =>
    createSession(tx, { id: userId, verified: true }, newClientInfo(), 'password'),
  );
  const cookie = `__Secure-next-auth.session-token=${access}; __Host-daylight.refresh=${refresh}`;
  const response = await middleware(
    new NextRequest('https://journal.example/journals', { headers: { cookie } }),
  );
  expect(response.status).toBe(200);
  expect(response.cookies.get('__Host-next-auth.session-token')).toMatchObject({ secure: true, path: '/' });
});

it('next-auth sets only cookies that are bound to the host, and finds them again', async () => {
  const visitor = createNextAuthBrowser();
  const at = await visitor.begin('google');
  expect([...visitor.jar.keys()].sort()).toEqual([
    '__Host-next-auth.callback-url',
    '__Host-next-auth.csrf-token',
    '__Host-next-auth.nonce',
    '__Host-next-auth.pkce.code_verifier',
    '__Host-next-auth.state',
  ]);
  const ada = { id: '4711', email: 'ada@example.com', verified: true, name: 'Ada Lovelace' };
  expect(await visitor.returnFromProvider('google', await visitor.allow(at, ada))).toBe('/signed-in');
});

it('the API document names the cookie as it is on https', () => {
  expect(openApiDocument()).toMatchObject({
    components: { securitySchemes: { session: { name: '__Host-next-auth.session-token' } } },
  });
});
