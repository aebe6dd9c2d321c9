import { env } from '@/lib/env';
import { renderEmail } from '@/lib/mails/write-mail';
import type { Mail } from '@/lib/services/mail';

interface Recipient {
  email: string;
  firstName: string;
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const day = inUtc({ weekday: 'long', month: 'short', day: 'numeric' });
const time = inUtc({ timeStyle: 'short' });

/** Says when the account will be deleted, and how to keep it. */
export function deletionRequestedMail(user: Recipient, erasesAt: Date): Promise<Mail> {
  const subject = `Your account will be deleted on ${day.format(erasesAt)}`;
  return renderEmail(user, subject, {
    preview: 'Sign in to cancel.',
    heading: subject,
    paragraphs: [
      `Someone asked to delete your Daylight account, and we signed you out everywhere. Your journal will be deleted on ${day.format(erasesAt)}, at ${time.format(erasesAt)} UTC: every video, transcript, note, and tag.`,
      'Until then, nothing is gone. Sign in to keep your account, or to download your journal first. After that day, nobody can bring it back.',
    ],
    action: { label: 'Sign in to cancel', url: `${env().APP_URL}/login` },
    footnote:
      'If this wasn’t you, sign in and keep your account, then change your password. If you can’t sign in, reset your password first.',
  });
}

/** Says that the account stays. */
export function deletionCanceledMail(user: Recipient): Promise<Mail> {
  const subject = 'Your account won’t be deleted';
  return renderEmail(user, subject, {
    preview: 'Everything is still there.',
    heading: subject,
    paragraphs: ['You chose to keep your Daylight account. Everything in your journal is still there.'],
    action: { label: 'Open your journal', url: env().APP_URL },
    footnote:
      'If this wasn’t you, reset your password, then check your devices under Settings, in the Security tab.',
  });
}
