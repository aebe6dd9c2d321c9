import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { SignOut } from '@/components/account/sign-in/sign-out';
import { getCurrentUser } from '@/lib/account/sessions/guards';
import { pathOnSite } from '@/lib/foundation/http/origin';

export const metadata: Metadata = { title: 'Logging out' };

/**
 * Logs out, after asking first if another site may have linked here: a link or an image must not log anybody out. A
 * browser without Fetch Metadata has to come from one of our pages.
 */
export default async function LogoutPage() {
  const given = await headers();
  const from = given.get('sec-fetch-site');
  const isCrossSite = from === 'cross-site' || from === 'same-site';
  const isUnknown = from === null && pathOnSite(given.get('referer') ?? undefined) === undefined;
  return <SignOut account={(await getCurrentUser())?.id ?? null} isCrossSite={isCrossSite || isUnknown} />;
}
