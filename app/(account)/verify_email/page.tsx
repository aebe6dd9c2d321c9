import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ResendVerification } from '@/components/accounts/resend-verification';
import { VerifyLink } from '@/components/accounts/verify-link';
import { PageHeading } from '@/components/ui/page-heading';
import { getCurrentUser } from '@/lib/sessions/guards';

export const metadata: Metadata = { title: 'Verify your email', referrer: 'no-referrer' };

export default async function VerifyEmailPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { uid, token } = await searchParams;
  if (typeof uid === 'string' && typeof token === 'string') {
    return <VerifyLink uid={uid} token={token} verified="Your account is now verified!" />;
  }
  if ((await getCurrentUser())?.verified) redirect('/');
  return (
    <>
      <PageHeading>One more step</PageHeading>
      <p className="text-ink-2">
        Please check your email for a verification code or click the following button to resend.
      </p>
      <ResendVerification />
    </>
  );
}
