import type { Metadata } from 'next';
import { EmailChangeLink } from '@/components/account/sign-in/email-change-link';
import { findEmailChange } from '@/lib/account/security/service';
import { getCurrentUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = { title: 'Confirm your new email', referrer: 'no-referrer' };

export default async function ChangeEmailPage({ params }: PageProps<'/change_email/[uidb64]/[token]'>) {
  const { uidb64, token } = await params;
  return (
    <EmailChangeLink
      change={await findEmailChange(uidb64, token, await getCurrentUser())}
      uid={uidb64}
      token={token}
    />
  );
}
