import { render } from '@react-email/render';
import { EmailTemplate } from '@/components/mails/email-template';
import { env } from '@/lib/env';
import type { Mail } from '@/lib/services/mail';
import { plainName } from './plain-name';

type LetterProps = Omit<Parameters<typeof EmailTemplate>[0], 'greeting'>;

/**
 * Writes an email in the one shape of all emails, as HTML and as plain text. The greeting is the only place where a
 * person's name appears, and no email shows any other text that people choose.
 */
export async function writeMail(
  to: { email: string; firstName?: string },
  subject: string,
  letter: LetterProps,
): Promise<Mail> {
  const name = plainName(to.firstName ?? '');
  const body = <EmailTemplate {...letter} greeting={name ? `Hello ${name},` : 'Hello,'} />;
  return {
    ...{ to: to.email, subject, html: await render(body) },
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
  return writeMail(user, 'Verify your email address', {
    preview: 'One click, and your journal is yours.',
    heading: 'Welcome to Daylight',
    paragraphs: ['Please confirm that this address is yours, and your journal is ready.'],
    action: { label: 'Verify email address', url: link('verify_email', user.id, token) },
    footnote:
      'The link works for 72 hours. If you did not open an account at Daylight, you can ignore this mail.',
  });
}

export function addressTakenMail(user: Recipient): Promise<Mail> {
  return writeMail(user, 'You already have an account', {
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
  return writeMail(user, 'Set a new password', {
    preview: 'The link works for one hour.',
    heading: 'Set a new password',
    paragraphs: [
      'You asked to set a new password for your journal. Setting it signs you out everywhere, and turns off your passkeys and connected accounts until you turn them back on in Settings.',
    ],
    action: { label: 'Set a new password', url: link('reset', user.id, token) },
    footnote: 'The link works for one hour. If you did not ask for it, your password stays as it is.',
  });
}

/** To the new address; `user.email` is that one. */
export function emailChangeMail(user: Recipient, token: string): Promise<Mail> {
  return writeMail(user, 'Confirm your new email address', {
    preview: 'Open it in the browser where you asked for the change.',
    heading: 'Is this your new address?',
    paragraphs: [
      'Someone asked to use this address for their journal. If that was you, open the link in the browser where you asked, then select “Confirm new address”. Until then, your old address stays in place.',
    ],
    action: { label: 'Review the change', url: link('change_email', user.id, token) },
    footnote:
      'The link works for 24 hours, and only in the browser where the change was asked for. If you didn’t ask for it, open the link and select “This wasn’t me”, or just ignore this email.',
  });
}
