import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Persona, startOAuthProviders } from '@/e2e/oauth-providers';
import { endSession } from '@/lib/account/sessions/service';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newEmail, signInUser } from '@/test/auth-fixtures';
import { createNextAuthBrowser } from '@/test/next-auth-browser';
import { authOptions } from './next-auth';

let takeDown: () => Promise<void>;
let stop: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  const providers = await startOAuthProviders();
  stop = providers.stop;
  Object.assign(process.env, providers.env, { NEXTAUTH_URL: 'http://localhost:3000' });
});
afterAll(() => Promise.all([takeDown(), stop()]));

const ada: Persona = { id: '4711', email: 'Ada@example.com', verified: true, name: 'Ada Lovelace' };

describe.each(['google', 'github'] as const)('%s', (provider) => {
  it('tells who somebody is, and next-auth keeps no session of its own', async () => {
    const visitor = createNextAuthBrowser();
    const at = await visitor.begin(provider);
    expect(at.searchParams.get('redirect_uri')).toBe(`http://localhost:3000/api/auth/callback/${provider}`);
    expect(at.searchParams.has('nonce')).toBe(provider === 'google');
    expect(await visitor.returnFromProvider(provider, await visitor.allow(at, ada))).toBe('/signed-in');
    expect(visitor.said).toEqual([
      { provider, id: '4711', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    ]);
    expect([...visitor.jar.keys()].sort()).toEqual(['next-auth.callback-url', 'next-auth.csrf-token']);
  });

  it('vouches for no address that it has not verified', async () => {
    const visitor = createNextAuthBrowser();
    const back = await visitor.allow(await visitor.begin(provider), { ...ada, verified: false });
    await visitor.returnFromProvider(provider, back);
    expect(visitor.said).toMatchObject([{ id: '4711', email: null }]);
  });

  it('is not believed in another browser, with another state, or twice', async () => {
    const [visitor, stranger] = [createNextAuthBrowser(), createNextAuthBrowser()];
    const back = await visitor.allow(await visitor.begin(provider), ada);
    await stranger.begin(provider);
    expect(await stranger.returnFromProvider(provider, back)).toMatch(/error=OAuthCallback/);
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    const copy = new Map(visitor.jar);
    expect(await visitor.returnFromProvider(provider, forged)).toMatch(/error=OAuthCallback/);
    for (const [name, value] of copy) visitor.jar.set(name, value);
    expect(await visitor.returnFromProvider(provider, back)).toBe('/signed-in');
    for (const [name, value] of copy) visitor.jar.set(name, value);
    expect(await visitor.returnFromProvider(provider, back)).toMatch(/error=OAuthCallback/);
    expect([visitor.said.length, stranger.said.length]).toEqual([1, 0]);
  });
});

it('reads no session that has ended, and says what one that hasn’t is about', async () => {
  const id = await addUser(newEmail());
  const { tokens, user } = await signInUser(id);
  const read = async () => authOptions(async () => '/').jwt?.decode?.({ token: tokens.access, secret: '' });
  expect(await read()).toMatchObject({ sub: id, sid: user.sessionId });
  await endSession(tokens);
  expect(await read()).toBeNull();
});
