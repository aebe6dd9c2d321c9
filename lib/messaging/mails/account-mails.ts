import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from './write-mail';

/** Returns an emailed link to one of an account's pages. The site's address comes from APP_URL, never from a request. */
export function emailedLink(
  page: 'verify_email' | 'reset' | 'change_email' | 'security_notice',
  userId: string,
  token: string,
): string {
  return `${env().APP_URL}/${page}/${Buffer.from(userId).toString('base64url')}/${token}/`;
}

interface Recipient {
  id: string;
  email: string;
  firstName: string;
}

export function verificationMail(user: Recipient, token: string): Promise<Mail> {
  return renderEmail(user, 'Verify your email address', {
    preview: 'One more click and your journal is ready.',
    heading: 'Welcome to Daylight',
    paragraphs: ['Confirm your email address, and your journal is ready.'],
    action: { label: 'Verify email address', url: emailedLink('verify_email', user.id, token) },
    footnote:
      'The link works for 72 hours. If you didn’t create a Daylight account, you can ignore this email.',
  });
}

export function addressTakenMail(user: Recipient): Promise<Mail> {
  return renderEmail(user, 'You already have an account', {
    preview: 'Someone tried to sign up with your email address.',
    paragraphs: [
      'Someone, probably you, just tried to sign up with this email address. It already has an account, so nothing changed.',
      'If you forgot your password, you can set a new one.',
    ],
    action: { label: 'Set a new password', url: `${env().APP_URL}/reset_password` },
    footnote: 'If it wasn’t you, you don’t need to do anything.',
  });
}

export function resetMail(user: Recipient, token: string): Promise<Mail> {
  return renderEmail(user, 'Set a new password', {
    preview: 'The link works for one hour.',
    paragraphs: [
      'You asked to set a new password for your journal. Setting it signs you out everywhere, and turns off your passkeys and connected accounts until you turn them back on in Settings.',
    ],
    action: { label: 'Set a new password', url: emailedLink('reset', user.id, token) },
    footnote:
      'The link works for one hour. If you didn’t ask for this, ignore this email and your password won’t change.',
  });
}

/** @param url the invitation's link, which only this email has */
export function invitationMail(to: { email: string; firstName?: string }, url: string): Promise<Mail> {
  const { host } = new URL(env().APP_URL);
  return renderEmail(to, 'You’re invited to Daylight', {
    preview: 'Start your own private video journal.',
    paragraphs: [`The administrator of ${host} invited you to keep a private video journal there.`],
    action: { label: 'Start your journal', url },
    footnote:
      'The link works once, for 14 days. If you weren’t expecting this invitation, you can ignore this email.',
  });
}

/** To the new address; `user.email` is that one. */
export function emailChangeMail(user: Recipient, token: string): Promise<Mail> {
  return renderEmail(user, 'Confirm your new email address', {
    preview: 'Open it in the browser where you asked for the change.',
    heading: 'Is this your new address?',
    paragraphs: [
      'Someone asked to use this address for their journal. If that was you, open the link in the browser where you asked, then select “Confirm new address.” Until then, your old address stays in place.',
    ],
    action: { label: 'Review the change', url: emailedLink('change_email', user.id, token) },
    footnote:
      'The link works for 24 hours, and only in the browser where you asked for the change. If you didn’t ask for it, open the link and select “This wasn’t me,” or just ignore this email.',
  });
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const day = inUtc({ weekday: 'long', month: 'short', day: 'numeric' });
const time = inUtc({ timeStyle: 'short' });

/** Says when the account will be deleted, and how to keep it. The day is UTC's: nobody knows where the email is read. */
export function deletionRequestedMail(user: Omit<Recipient, 'id'>, erasesAt: Date): Promise<Mail> {
  const subject = `Your account will be deleted on ${day.format(erasesAt)} (UTC)`;
  return renderEmail(user, subject, {
    preview: 'Sign in to cancel.',
    paragraphs: [
      `Someone asked to delete your Daylight account, and we signed you out everywhere. Your journal will be deleted on ${day.format(erasesAt)}, at ${time.format(erasesAt)} UTC: every video, transcript, note, and tag.`,
      'Until then, nothing is gone. Sign in to keep your account, or to download your journal first. After that, nobody can bring it back.',
    ],
    action: { label: 'Sign in to cancel', url: `${env().APP_URL}/login` },
    footnote:
      'If this wasn’t you, sign in and keep your account, then change your password. If you can’t sign in, reset your password first.',
  });
}

/** What the email about a canceled deletion says, by what canceled it. */
const DELETION_CANCELED = {
  owner: {
    because: 'You chose to keep your Daylight account.',
    footnote:
      'If this wasn’t you, reset your password, then check your devices under Settings, in the Security tab.',
  },
  undo: {
    because:
      'A change to your Daylight account was just undone with the link in our email about it, so we canceled the account’s deletion, too.',
    footnote:
      'If you still want to delete your account, you can ask again under Settings, in the Your Data tab.',
  },
};

/** Says that the account stays. @param by what canceled its deletion: the owner's choice, or the undoing of a change */
export function deletionCanceledMail(
  to: Pick<Recipient, 'email'> & Partial<Recipient>,
  by: keyof typeof DELETION_CANCELED,
): Promise<Mail> {
  const subject = 'Your account won’t be deleted';
  const { because, footnote } = DELETION_CANCELED[by];
  return renderEmail(to, subject, {
    preview: 'Everything is still there.',
    paragraphs: [`${because} Everything in your journal is still there.`],
    action: { label: 'Open your journal', url: env().APP_URL },
    footnote,
  });
}
