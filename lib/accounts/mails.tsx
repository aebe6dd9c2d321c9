import { render } from '@react-email/render';
import { Letter } from '@/components/mails/letter';
import { env } from '@/lib/env';
import type { Mail } from '@/lib/services/mail';
import { plainLabel, plainName } from './plain-name';

type LetterProps = Omit<Parameters<typeof Letter>[0], 'greeting'>;

/**
 * Writes an email in the one shape of all emails, as HTML and as plain text. The greeting is the only place where a
 * person's name appears. Other text that people choose must pass through `plainLabel` first.
 */
export async function writeMail(
  to: { email: string; firstName: string },
  subject: string,
  letter: LetterProps,
): Promise<Mail> {
  const name = plainName(to.firstName);
  const body = <Letter {...letter} greeting={name ? `Hello ${name},` : 'Hello,'} />;
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

/** To the old address, once the new one has been confirmed. */
export function emailChangedMail(user: Recipient): Promise<Mail> {
  return writeMail(user, 'Your email address was changed', {
    preview: 'Your journal has a new address.',
    heading: 'Your email address was changed',
    paragraphs: [
      'Your journal now has another email address. We send our emails there from now on, and you log in with it.',
      'If it was not you, somebody knows your password and could open your mail. Please write back to this mail at once.',
    ],
    action: { label: 'Go to your journal', url: env().APP_URL },
    footnote: 'If it was you, there is nothing you need to do.',
  });
}

export function passwordChangedMail(user: Recipient): Promise<Mail> {
  return writeMail(user, 'Your password was changed', {
    preview: 'Every other device was signed out.',
    heading: 'Your password was changed',
    paragraphs: [
      'The password of your journal was just changed, and every other device was signed out.',
      'If it was not you, please set a new one now.',
    ],
    action: { label: 'Set a new password', url: `${env().APP_URL}/reset_password` },
    footnote: 'If it was you, there is nothing you need to do.',
  });
}

/** What the emails about a passkey have in common. */
function passkeyMail(
  user: Recipient,
  name: string,
  done: 'added to' | 'removed from' | 'turned back on for',
): Promise<Mail> {
  const subject = `A passkey was ${done} your journal`;
  const label = plainLabel(name);
  const passkey = label ? `The passkey “${label}”` : 'A passkey';
  return writeMail(user, subject, {
    preview: `${passkey} was just ${done} your journal.`,
    heading: subject,
    paragraphs: [
      `${passkey} was just ${done} your journal.`,
      'If it was not you, please look at your passkeys and devices, and set a new password.',
    ],
    action: { label: 'Go to your settings', url: `${env().APP_URL}/settings?tab=security` },
    footnote: 'If it was you, there is nothing you need to do.',
  });
}

export function passkeyAddedMail(user: Recipient, name: string): Promise<Mail> {
  return passkeyMail(user, name, 'added to');
}

export function passkeyRemovedMail(user: Recipient, name: string): Promise<Mail> {
  return passkeyMail(user, name, 'removed from');
}

export function passkeyEnabledMail(user: Recipient, name: string): Promise<Mail> {
  return passkeyMail(user, name, 'turned back on for');
}

const PROVIDERS = { google: 'Google', github: 'GitHub' };

/** A provider that can sign in from now on, or can't any longer. */
export function identityMail(
  user: Recipient,
  provider: keyof typeof PROVIDERS,
  done: 'connected to' | 'disconnected from' | 'turned back on for',
): Promise<Mail> {
  const subject = `${PROVIDERS[provider]} was ${done} your journal`;
  return writeMail(user, subject, {
    preview: subject,
    heading: subject,
    paragraphs: [
      `Your account at ${PROVIDERS[provider]} was just ${done} your journal.`,
      'If it was not you, please look at your connected accounts and devices, and set a new password.',
    ],
    action: { label: 'Go to your settings', url: `${env().APP_URL}/settings?tab=security` },
    footnote: 'If it was you, there is nothing you need to do.',
  });
}

/** A provider that has become the only way to sign in to an account that was there before. */
export function providerMergedMail(user: Recipient, provider: keyof typeof PROVIDERS): Promise<Mail> {
  const name = PROVIDERS[provider];
  return writeMail(user, `${name} was connected to your journal`, {
    preview: `From now on you sign in with ${name}.`,
    heading: `${name} was connected to your journal`,
    paragraphs: [
      `Someone, probably you, just signed in with a ${name} account that has this address. To keep everyone else out, we turned off every other way to sign in and signed out every device.`,
      'If you used passkeys or another account to sign in, turn them back on in Settings, under Security. Your old password no longer works. You can set a new one there.',
    ],
    action: { label: 'Go to your settings', url: `${env().APP_URL}/settings?tab=security` },
    footnote: `If that wasn't you, someone can use your ${name} account. Change its password first, then set a new password for your journal.`,
  });
}
