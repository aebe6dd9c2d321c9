import { render } from '@react-email/render';
import { Letter } from '@/components/mails/letter';
import { env } from '@/lib/env';
import type { Mail } from '@/lib/services/mail';

type LetterProps = Parameters<typeof Letter>[0];

/** A mail in the one shape of all mails, as HTML and as plain text. */
export async function writeMail(to: string, subject: string, letter: LetterProps): Promise<Mail> {
  const body = <Letter {...letter} />;
  return {
    ...{ to, subject, html: await render(body) },
    text: await render(body, {
      plainText: true,
      htmlToTextOptions: {
        selectors: [
          { selector: 'h1', options: { uppercase: false } },
          // The button's address stands there already.
          { selector: '.address', format: 'skip' },
        ],
      },
    }),
  };
}

/** The path part of a link in a mail; the site's address comes from APP_URL, never from a request. */
function link(page: 'verify_email' | 'reset' | 'change_email', userId: string, token: string): string {
  return `${env().APP_URL}/${page}/${Buffer.from(userId).toString('base64url')}/${token}/`;
}

interface Recipient {
  id: string;
  email: string;
  firstName: string;
}

export function verificationMail(user: Recipient, token: string): Promise<Mail> {
  return writeMail(user.email, 'Verify your email address', {
    preview: 'One click, and your journal is yours.',
    heading: `Welcome, ${user.firstName}.`,
    paragraphs: ['Please confirm that this address is yours, and your journal is ready.'],
    action: { label: 'Verify email address', url: link('verify_email', user.id, token) },
    footnote:
      'The link works for 72 hours. If you did not open an account at Daylight, you can ignore this mail.',
  });
}

export function addressTakenMail(user: Recipient): Promise<Mail> {
  return writeMail(user.email, 'You already have an account', {
    preview: 'Somebody tried to sign up with your address.',
    heading: 'You already have an account.',
    paragraphs: [
      'Somebody, probably you, has just tried to open an account with this address. It has one already, so nothing was changed.',
      'If you have forgotten your password, you can set a new one.',
    ],
    action: { label: 'Set a new password', url: `${env().APP_URL}/reset_password` },
    footnote: 'If it was not you, there is nothing you need to do.',
  });
}

export function resetMail(user: Recipient, token: string): Promise<Mail> {
  return writeMail(user.email, 'Set a new password', {
    preview: 'The link works for one hour.',
    heading: 'Set a new password',
    paragraphs: ['You asked to set a new password for your journal. Doing so signs you out everywhere else.'],
    action: { label: 'Set a new password', url: link('reset', user.id, token) },
    footnote: 'The link works for one hour. If you did not ask for it, your password stays as it is.',
  });
}

/** To the new address; `user.email` is that one. */
export function emailChangeMail(user: Recipient, token: string): Promise<Mail> {
  return writeMail(user.email, 'Confirm your new email address', {
    preview: 'One click, and this address is the one of your journal.',
    heading: 'Is this your new address?',
    paragraphs: [
      'You asked to use this address for your journal. Until you confirm it, the old one stays in place.',
    ],
    action: { label: 'Confirm new address', url: link('change_email', user.id, token) },
    footnote: 'The link works for 24 hours. If you did not ask for it, you can ignore this mail.',
  });
}
