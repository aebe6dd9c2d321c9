import { ExternalLink } from 'lucide';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ContinueOnceVerified } from './continue-once-verified';
import { ResendVerification } from './resend-verification';

interface Webmail {
  name: string;
  url: string;
  /** Matches the whole domain of an address. */
  domain: RegExp;
}

/** The end of the domains that a provider has in many countries. */
const COUNTRY = String.raw`\.(com|[a-z]{2}|com?\.[a-z]{2})$`;

/** Where a browser can read mail of the common free providers. */
const WEBMAILS: readonly Webmail[] = [
  { name: 'Gmail', url: 'https://mail.google.com/', domain: /^(gmail|googlemail)\.com$/ },
  {
    name: 'Outlook',
    url: 'https://outlook.live.com/mail/',
    domain: new RegExp(`^(outlook|hotmail|live)${COUNTRY}|^msn\\.com$`),
  },
  {
    name: 'Yahoo Mail',
    url: 'https://mail.yahoo.com/',
    domain: new RegExp(`^yahoo${COUNTRY}|^(ymail|rocketmail)\\.com$`),
  },
  { name: 'iCloud Mail', url: 'https://www.icloud.com/mail/', domain: /^(icloud|me|mac)\.com$/ },
  { name: 'Proton Mail', url: 'https://mail.proton.me/', domain: /^(proton|pm)\.me$|^protonmail\.(com|ch)$/ },
  { name: 'Fastmail', url: 'https://app.fastmail.com/', domain: /^fastmail\.(com|fm)$/ },
  { name: 'AOL Mail', url: 'https://mail.aol.com/', domain: /^aol\.com$/ },
  { name: 'GMX', url: 'https://www.gmx.net/', domain: /^gmx\.(net|de|at|ch)$/ },
];

/**
 * Returns the website where an address's mail is read, or null if only its owner knows. A domain of one's own may be read
 * anywhere, and `mailto:` would start a new message instead of opening the inbox.
 */
export function webmailOf(email: string): Pick<Webmail, 'name' | 'url'> | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return WEBMAILS.find((webmail) => webmail.domain.test(domain)) ?? null;
}

/**
 * Says which mailbox the verification email went to, and what to do if it doesn't arrive. Says the same whether or not
 * the address had an account.
 * @param wait the seconds until the email can be sent again, if that's known
 * @param correct leads back to the form
 * @param next a path of this site to go to once the address is verified
 * @param isSignedIn whether the browser is signed in to the account that's to be verified
 */
export function CheckEmail({
  email,
  wait,
  correct,
  next,
  isSignedIn,
}: {
  email: string;
  wait?: number;
  correct?: ReactNode;
  next: string;
  isSignedIn: boolean;
}) {
  const webmail = webmailOf(email);
  return (
    <>
      <ContinueOnceVerified next={next} isSignedIn={isSignedIn} />
      <p className="text-ink-2">
        We sent an email to <strong className="font-semibold break-words text-ink">{email}</strong>. Open its
        link in this browser to sign in. This page then continues by itself.
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
