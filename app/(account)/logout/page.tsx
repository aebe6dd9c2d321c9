import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { SignOut } from '@/components/accounts/sign-out';

export const metadata: Metadata = { title: 'Logging out' };

/** A link or an image of another site must not log anybody out: whoever comes from there is asked first. */
export default async function LogoutPage() {
  const from = (await headers()).get('sec-fetch-site');
  return <SignOut ask={from === 'cross-site' || from === 'same-site'} />;
}
