import { ExternalLink } from 'lucide';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ResendVerification } from './resend-verification';
import { webmailOf } from './webmail';

/**
 * Says which mailbox the verification email went to, and what to do if it doesn't arrive. Says the same whether or not
 * the address had an account.
 * @param wait the seconds until the email can be sent again, if that's known
 * @param correct leads back to the form
 */
export function CheckEmail({ email, wait, correct }: { email: string; wait?: number; correct?: ReactNode }) {
  const webmail = webmailOf(email);
  return (
    <>
      <p className="text-ink-2">
        We sent an email to <strong className="font-semibold break-words text-ink">{email}</strong>. Open its
        link in this browser to sign in and start recording.
      </p>
      {webmail && (
        <ButtonLink href={webmail.url} target="_blank" rel="noreferrer" size="lg">
          Open {webmail.name}
          <Icon of={ExternalLink} aria-hidden className="size-4 shrink-0" />
          <span className="sr-only"> (opens a new tab)</span>
        </ButtonLink>
      )}
      <div className="flex w-full flex-col gap-5 border-t border-line pt-6">
        <ResendVerification {...(wait !== undefined && { wait })} />
        {correct && <p className="text-15 text-ink-2">Wrong address? {correct}</p>}
      </div>
    </>
  );
}
