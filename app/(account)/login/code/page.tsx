import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { CodeForm } from '@/components/accounts/login-form';
import { safeNextPath } from '@/components/accounts/safe-next-path';
import { PageHeading } from '@/components/ui/page-heading';
import { readSealedCookie } from '@/lib/identities/cookies';

export const metadata: Metadata = { title: 'Login' };

export default async function CodePage() {
  const pending = await readSealedCookie('pending');
  if (!pending) redirect('/login');
  return (
    <>
      <PageHeading>One more step</PageHeading>
      <CodeForm next={safeNextPath(pending.next)} />
    </>
  );
}
