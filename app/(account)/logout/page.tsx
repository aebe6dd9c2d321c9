import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { SignOut } from '@/components/accounts/sign-out';
import { pathOnSite } from '@/lib/http/origin';
import { visitor } from '@/lib/sessions/guards';

export const metadata: Metadata = { title: 'Logging out' };

/**
 * A link or an image of another site must not log anybody out: whoever comes from there is asked first. A browser that
 * doesn't say where it comes from (no Fetch Metadata) has to come from a page of ours.
 */
export default async function LogoutPage() {
  const given = await headers();
  const from = given.get('sec-fetch-site');
  const isForeign = from === 'cross-site' || from === 'same-site';
  const isUnknown = from === null && pathOnSite(given.get('referer') ?? undefined) === undefined;
  return <SignOut account={(await visitor())?.id ?? null} isForeign={isForeign || isUnknown} />;
}
