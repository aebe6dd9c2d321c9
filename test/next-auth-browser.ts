import NextAuth from 'next-auth';
import type { Persona } from '@/e2e/oauth-providers';
import { authOptions } from '@/lib/account/providers/next-auth';
import { type ProviderAccount, readProfile } from '@/lib/account/providers/providers';

/** Returns a browser at next-auth's endpoints; `said` is what the providers have said of the user. */
export function createNextAuthBrowser() {
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
    jar,
    said,
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
    returnFromProvider: async (provider: string, back: URL) =>
      (await ask('GET', ['callback', provider], { query: Object.fromEntries(back.searchParams) })).redirect,
  };
}
