import type { Account, Profile } from 'next-auth';
import GitHub, { type GithubProfile } from 'next-auth/providers/github';
import Google, { type GoogleProfile } from 'next-auth/providers/google';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { env } from '@/lib/foundation/env';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { ProviderName } from './contract';

interface GitHubEmail {
  email: string;
  primary: boolean;
  verified: boolean;
}

/** What we take from a provider. */
export interface ProviderAccount {
  provider: ProviderName;
  /** Its own, unchanging id of the account. */
  id: string;
  /** Lower-cased; null unless the provider has verified it. */
  email: string | null;
  firstName: string;
  lastName: string;
}

function google(clientId: string, clientSecret: string): OAuthConfig<GoogleProfile> {
  const wellKnown = `${env().GOOGLE_ISSUER}/.well-known/openid-configuration`;
  return Google({ clientId, clientSecret, wellKnown, checks: ['pkce', 'state', 'nonce'] });
}

function gitHub(clientId: string, clientSecret: string): OAuthConfig<GithubProfile> {
  const base = env().GITHUB_BASE_URL;
  const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
  const get = async <T>(path: string, token: string | undefined): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' };
    const response = await fetch(`${api}${path}`, { headers, signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw withSafeMessage(new Error(`GitHub answered ${response.status}`));
    return response.json() as Promise<T>;
  };
  return GitHub({
    clientId,
    clientSecret,
    checks: ['pkce', 'state'],
    issuer: `${base}/login/oauth`,
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${base}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      // The address of the profile is whatever its owner shows; only the list says what is verified.
      request: async ({ tokens }) => {
        const [user, emails] = await Promise.all([
          get<GithubProfile>('/user', tokens.access_token),
          get<GitHubEmail[]>('/user/emails', tokens.access_token),
        ]);
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        return { ...user, sub: String(user.id), email, email_verified: email !== undefined } as Profile;
      },
    },
  });
}

/** The providers whose variables are set, for next-auth. */
export function nextAuthProviders(): OAuthConfig<GoogleProfile | GithubProfile>[] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = env();
  return [
    ...(GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET ? [google(GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET)] : []),
    ...(GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET ? [gitHub(GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET)] : []),
  ] as OAuthConfig<GoogleProfile | GithubProfile>[];
}

/** The names of the providers whose variables are set; what is not set is shown nowhere. */
export function providerNames(): ProviderName[] {
  return nextAuthProviders().map(({ id }) => id as ProviderName);
}

const cleanName = (name: string) => name.replace(/\p{C}/gu, '').normalize('NFC').trim().slice(0, 100);

/** What a provider says of somebody, as far as we believe it. */
export function readProfile({ provider, providerAccountId }: Account, profile: Profile): ProviderAccount {
  const said = profile as Partial<GoogleProfile & GithubProfile>;
  const [first = '', ...rest] = (said.name ?? said.login ?? '').split(' ');
  const verified = said.email_verified === true && typeof said.email === 'string';
  return {
    provider: provider as ProviderName,
    id: providerAccountId,
    email: verified ? (said.email ?? '').trim().toLowerCase() : null,
    firstName: cleanName(said.given_name ?? first),
    lastName: cleanName(said.family_name ?? rest.join(' ')),
  };
}
