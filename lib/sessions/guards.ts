import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { readSessionCookies } from './cookies';
import { authenticate, type User } from './service';

/** Who looks at this page, or null. Looked up once for each request, however many components ask. */
export const getCurrentUser = cache(
  async (): Promise<User | null> => authenticate((await readSessionCookies()).access),
);

/**
 * Whether middleware couldn't read the session, as while the database is away. The visitor may well be signed in then.
 */
export const isSessionUnknown = async (): Promise<boolean> => (await headers()).has('x-session-unknown');

/** Where to come back to after the login: the path of the page at hand, as middleware has written it down. */
async function currentPath(): Promise<string> {
  return (await headers()).get('x-path') ?? '/';
}

/** The signed-in, verified person; anybody else is sent to where they become one. */
export async function requireUser(): Promise<User> {
  const user = await getCurrentUser();
  if (!user) redirect(`/login?next=${encodeURIComponent(await currentPath())}`);
  if (!user.verified) redirect('/verify_email');
  return user;
}
