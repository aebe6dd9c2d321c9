import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { CodeForm } from '@/components/account/sign-in/login-form';
import { safeNextPath } from '@/components/account/sign-in/safe-next-path';
import { PageHeading } from '@/components/ui/page-heading';
import { readSealedCookie } from '@/lib/account/providers/cookies';

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
