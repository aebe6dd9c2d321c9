import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { readPageHeaders } from '@/lib/foundation/http/page-headers';
import { showTimings } from '@/lib/foundation/telemetry/spans';
import { readSessionCookies } from './cookies';
import { authenticate, type User } from './service';

/** Returns the signed-in user, or null. Looked up once per request, however many components call it. */
export const getCurrentUser = cache(
  async (): Promise<User | null> => authenticate((await readSessionCookies()).access),
);

/** Returns where to go after signing in: the current page's path, as middleware recorded it. */
async function currentPath(): Promise<string> {
  return readPageHeaders(await headers())?.path ?? '/';
}

/**
 * Returns the signed-in, verified user. Redirects anyone else to sign in or verify, and the owner of an account that's
 * going to be deleted to decide whether to keep it, once per session.
 */
export async function requireUser(): Promise<User> {
  const user = await getCurrentUser();
  if (!user) redirect(`/login?next=${encodeURIComponent(await currentPath())}`);
  if (!user.verified) redirect('/verify_email');
  showTimings();
  if (user.erasesAt && !user.hasSeenDeletion) {
    redirect(`/account_deletion?next=${encodeURIComponent(await currentPath())}`);
  }
  return user;
}
