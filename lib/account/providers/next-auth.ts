import type { Account, NextAuthOptions, Profile } from 'next-auth';
import { decode, encode } from 'next-auth/jwt';
import { authenticate } from '@/lib/account/sessions/service';
import { ACCESS_SECONDS } from '@/lib/account/sessions/tokens';
import { decrypt } from '@/lib/foundation/encryption';
import { env } from '@/lib/foundation/env';
import { cookieNames, hostCookieName, isSecureSite } from '@/lib/foundation/http/cookies';
import { nextAuthProviders } from './providers';

/** Fifteen minutes to sign in at a provider, in seconds; next-auth's own limit. */
const PROVIDER_SECONDS = 900;

/** Returns next-auth's cookies. It would use the weaker prefix `__Secure-` for most of them. */
export function nextAuthCookies() {
  const options = { httpOnly: true, secure: isSecureSite(), sameSite: 'lax', path: '/' } as const;
  const brief = { ...options, maxAge: PROVIDER_SECONDS };
  return {
    sessionToken: { name: cookieNames().access, options },
    callbackUrl: { name: hostCookieName('next-auth.callback-url'), options },
    csrfToken: { name: hostCookieName('next-auth.csrf-token'), options },
    pkceCodeVerifier: { name: hostCookieName('next-auth.pkce.code_verifier'), options: brief },
    state: { name: hostCookieName('next-auth.state'), options: brief },
    nonce: { name: hostCookieName('next-auth.nonce'), options: brief },
  };
}

/** Takes what a provider says of somebody, and answers with the address to go on to. */
export type SignIn = (account: Account, profile: Profile) => Promise<string>;

/**
 * next-auth's own routes under `/api/auth`. It speaks with the providers; what they say goes to `signIn`, which
 * starts a session like every other and answers where to go on, so that next-auth sets no cookie of a session.
 */
export function authOptions(signIn: SignIn): NextAuthOptions {
  const [newest] = env().AUTH_SECRET;
  return {
    providers: nextAuthProviders(),
    callbacks: {
      signIn: ({ account, profile }) => (account && profile ? signIn(account, profile) : false),
    },
    secret: newest,
    pages: { signIn: '/login', signOut: '/logout', error: '/login' },
    cookies: nextAuthCookies(),
    session: { strategy: 'jwt', maxAge: ACCESS_SECONDS },
    jwt: {
      // With a salt it is no session, but what next-auth remembers until a provider answers.
      // Ours can be ended before their time, so a token alone is not believed.
      decode: async (params) => {
        if (params.salt) return decode(params);
        const user = await authenticate(params.token).catch(() => null);
        return user && ((await decrypt(params.token, { purpose: '' }))?.claims ?? null);
      },
      // next-auth renews the token whenever its session is read; ours ends when it was made to end.
      encode: ({ token, ...params }) => {
        if (params.salt) return encode({ token: token ?? {}, ...params });
        const left = typeof token?.exp === 'number' ? token.exp - Math.floor(Date.now() / 1000) : 0;
        return encode({ ...params, token: token ?? {}, maxAge: Math.max(left, 0) });
      },
    },
    // A stale or altered cookie is everyday life, not an error with a stack.
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  };
}
