import type { Metadata } from 'next';
import { MailedLink } from '@/components/accounts/mailed-link';

export const metadata: Metadata = { title: 'Confirm your new email', referrer: 'no-referrer' };

export default async function ChangeEmailPage({
  params,
}: {
  params: Promise<{ uidb64: string; token: string }>;
}) {
  const { uidb64, token } = await params;
  return (
    <MailedLink
      path={`/email_change/${encodeURIComponent(uidb64)}/${encodeURIComponent(token)}`}
      trying="Confirming your new address..."
      done="Your email address has been changed."
      failed="We could not change your email address with this link"
      otherwise={
        <p className="text-ink-2">
          A link works once and for 24 hours. You can ask for a new one in Settings, under Security.
        </p>
      }
    />
  );
}
