import NextAuth from 'next-auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Persona, startProviders } from '@/e2e/providers';
import { type ProviderAccount, readProfile } from '@/lib/identities/providers';
import { useFreshDatabase } from '@/test/app-database';
import { authOptions } from './next-auth';

let takeDown: () => Promise<void>;
let stop: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  const providers = await startProviders();
  stop = providers.stop;
  Object.assign(process.env, providers.env, { NEXTAUTH_URL: 'http://localhost:3000' });
});
afterAll(() => Promise.all([takeDown(), stop()]));

/** A browser at next-auth's endpoints; `said` is what the providers have said of its person. */
function newVisitor() {
  const jar = new Map<string, string>();
  const said: ProviderAccount[] = [];
  const options = authOptions(async (account, profile) => {
    said.push(readProfile(account, profile));
    return '/signed-in';
  });
  /** A request by next-auth's older interface, which needs no server around it. */
  async function ask(method: string, nextauth: string[], more: { query?: object; body?: object } = {}) {
    const kept = { headers: new Map<string, string | string[]>(), body: undefined as unknown };
    const response = {
      status: () => response,
      getHeader: (name: string) => kept.headers.get(name.toLowerCase()),
      setHeader: (name: string, value: string | string[]) => {
        kept.headers.set(name.toLowerCase(), value);
        return response;
      },
      end: () => undefined,
      json: (body: unknown) => {
        kept.body = body;
      },
      send: (body: unknown) => {
        kept.body = body;
      },
    };
    const query = { ...more.query, nextauth };
    const request = { method, query, body: more.body, cookies: Object.fromEntries(jar), headers: {} };
    await NextAuth(request as never, response as never, options);
    for (const line of [kept.headers.get('set-cookie') ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, decodeURIComponent(value));
    }
    return { body: kept.body, redirect: String(kept.headers.get('location')) };
  }
  return {
    ...{ jar, said },
    begin: async (provider: string): Promise<URL> => {
      const { body } = await ask('GET', ['csrf']);
      const { csrfToken } = body as { csrfToken: string };
      const to = await ask('POST', ['signin', provider], { body: { csrfToken, callbackUrl: '/journals' } });
      return new URL(to.redirect);
    },
    /** @returns where the provider sends the browser back to */
    allow: async (at: URL, persona: Persona): Promise<URL> => {
      const body = new URLSearchParams({ answer: 'yes', persona: JSON.stringify(persona) });
      const response = await fetch(at, { method: 'POST', body, redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '');
    },
    comeBack: async (provider: string, back: URL) =>
      (await ask('GET', ['callback', provider], { query: Object.fromEntries(back.searchParams) })).redirect,
  };
}

const ada: Persona = { id: '4711', email: 'Ada@example.com', verified: true, name: 'Ada Lovelace' };

describe.each(['google', 'github'] as const)('%s', (provider) => {
  it('tells who somebody is, and next-auth keeps no session of its own', async () => {
    const visitor = newVisitor();
    const at = await visitor.begin(provider);
    expect(at.searchParams.get('redirect_uri')).toBe(`http://localhost:3000/api/auth/callback/${provider}`);
    expect(at.searchParams.has('nonce')).toBe(provider === 'google');
    expect(await visitor.comeBack(provider, await visitor.allow(at, ada))).toBe('/signed-in');
    expect(visitor.said).toEqual([
      { provider, id: '4711', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    ]);
    expect([...visitor.jar.keys()].sort()).toEqual(['next-auth.callback-url', 'next-auth.csrf-token']);
  });

  it('vouches for no address that it has not verified', async () => {
    const visitor = newVisitor();
    const back = await visitor.allow(await visitor.begin(provider), { ...ada, verified: false });
    await visitor.comeBack(provider, back);
    expect(visitor.said).toMatchObject([{ id: '4711', email: null }]);
  });

  it('is not believed in another browser, with another state, or twice', async () => {
    const [visitor, stranger] = [newVisitor(), newVisitor()];
    const back = await visitor.allow(await visitor.begin(provider), ada);
    await stranger.begin(provider);
    expect(await stranger.comeBack(provider, back)).toMatch(/error=OAuthCallback/);
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    const copy = new Map(visitor.jar);
    expect(await visitor.comeBack(provider, forged)).toMatch(/error=OAuthCallback/);
    for (const [name, value] of copy) visitor.jar.set(name, value);
    expect(await visitor.comeBack(provider, back)).toBe('/signed-in');
    for (const [name, value] of copy) visitor.jar.set(name, value);
    expect(await visitor.comeBack(provider, back)).toMatch(/error=OAuthCallback/);
    expect([visitor.said.length, stranger.said.length]).toEqual([1, 0]);
  });
});
