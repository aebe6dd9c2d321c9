import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { CheckEmail } from '@/components/account/sign-in/check-email';
import { ResendVerification } from '@/components/account/sign-in/resend-verification';
import { pathAfterVerifying } from '@/components/account/sign-in/safe-next-path';
import { PageHeading } from '@/components/ui/page-heading';
import { readRegisteredCookie } from '@/lib/account/registration/cookies';
import { secondsUntilResend } from '@/lib/account/registration/shared/resend-cooldown';
import { getCurrentUser } from '@/lib/account/sessions/guards';
import { VerifyLinkScreen } from './verify-link-screen';

export const metadata: Metadata = { title: 'Verify your email', referrer: 'no-referrer' };

const LINK = 'font-semibold text-accent-ink underline underline-offset-4';

export default async function VerifyEmailPage({ searchParams }: PageProps<'/verify_email'>) {
  const { uid, token } = await searchParams;
  if (typeof uid === 'string' && typeof token === 'string') {
    return <VerifyLinkScreen uid={uid} token={token} verified="Your account is now verified!" />;
  }
  const user = await getCurrentUser();
  if (user?.verified) redirect('/');
  const registered = await readRegisteredCookie();
  const email = user?.email ?? registered?.email;
  return (
    <>
      <PageHeading lead="Please check your email for a verification code or click the following button to resend.">
        One more step
      </PageHeading>
      <div className="flex flex-col items-start gap-5">
        {email === undefined ? (
          <>
            <ResendVerification />
            <p className="text-15 text-ink-2">
              Verified already?{' '}
              <Link href="/login" className={LINK}>
                Log in
              </Link>
            </p>
          </>
        ) : (
          <CheckEmail
            email={email}
            next={pathAfterVerifying(registered?.next)}
            isSignedIn={user !== null}
            wait={registered?.email === email ? secondsUntilResend(registered.askedAt) : 0}
            correct={
              <Link href="/signup?correct=1" className={LINK}>
                Correct it
              </Link>
            }
          />
        )}
      </div>
    </>
  );
}
