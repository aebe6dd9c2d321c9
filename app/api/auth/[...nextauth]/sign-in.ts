import { cookies, headers } from 'next/headers';
import { safeNextPath } from '@/components/account/sign-in/safe-next-path';
import { clearSealedCookie, readSealedCookie, setSealedCookie } from '@/lib/account/providers/cookies';
import type { SignIn } from '@/lib/account/providers/next-auth';
import { nextAuthCookies } from '@/lib/account/providers/next-auth';
import { readProfile } from '@/lib/account/providers/providers';
import { linkAccount } from '@/lib/account/providers/service';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { setSessionCookies } from '@/lib/account/sessions/cookies';
import { findSession } from '@/lib/account/sessions/service';
import { clientOf } from '@/lib/foundation/http/client-address';
import { pathOnSite } from '@/lib/foundation/http/origin';

/** Where the sign-in was to lead, as next-auth has kept it; only to a path of this site. */
async function readCallbackPath(): Promise<string> {
  const { name } = nextAuthCookies().callbackUrl;
  return safeNextPath(pathOnSite((await cookies()).get(name)?.value));
}

/** Takes what a provider says: connects it to the account that asked for that, or signs in. */
export const signIn: SignIn = async (account, profile) => {
  const given = readProfile(account, profile);
  const asked = await readSealedCookie('connecting');
  if (asked) {
    await clearSealedCookie('connecting');
    const user = await findSession(asked.userId, asked.sessionId);
    if (user && asked.provider === given.provider) {
      const problem = await linkAccount(user, given);
      return `/settings/security${problem ? `?problem=${problem}` : ''}`;
    }
  }
  const outcome = await signInByProvider(given, clientOf(await headers()));
  const next = await readCallbackPath();
  if ('problem' in outcome) return `/login?error=${outcome.problem}&next=${encodeURIComponent(next)}`;
  if ('codeFor' in outcome) {
    await setSealedCookie('pending', { userId: outcome.codeFor, account: given, next });
    return '/login/code';
  }
  await setSessionCookies(outcome.tokens);
  return next;
};
