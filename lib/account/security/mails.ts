import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import type { NoticeKind } from './contract';
import { NOTICE_SUBJECTS } from './notice-subjects';

export type Change = Exclude<NoticeKind, 'device'>;

interface Link {
  userId: string;
  token: string;
}

function address({ userId, token }: Link): string {
  return `${env().APP_URL}/security_notice/${Buffer.from(userId).toString('base64url')}/${token}/`;
}

const LINK = 'The link works for 72 hours, and nothing changes until you confirm on the page it opens.';
const FOOTNOTE = `If this was you, you can ignore this email. ${LINK}`;

/** What an email says about who made a change, and when to undo it. */
const CHANGED_BY = {
  owner: { intro: [], unwanted: 'If this wasn’t you', footnote: FOOTNOTE },
  operator: {
    intro: ['The site’s administrator made this change.'],
    unwanted: 'If you didn’t ask them to',
    footnote: `If you asked for this, you can ignore this email. ${LINK}`,
  },
};

const mergedSentence = (name: string) =>
  `A ${name} account with this address just signed in to your journal. To keep everyone else out, your old password no longer works, every device was signed out, and your other ways to sign in were turned off until you turn them back on in Settings.`;

/** What each subject goes on with. No words of a person's own: a name could read like a link or an instruction. */
const SENTENCES: Record<Change, string> = {
  'password-changed':
    'The password for your journal was just changed, and every other device was signed out.',
  'password-reset':
    'The password for your journal was just reset. Every device was signed out, and passkeys and connected accounts were turned off until you turn them back on in Settings.',
  'email-changed':
    'Your journal now uses a different email address. From now on, you log in with that one and our emails go there.',
  'two-factor-enabled': 'Logging in to your journal now takes a code from an authenticator app.',
  'two-factor-disabled': 'Your password alone is now enough to log in to your journal.',
  'recovery-codes-renewed':
    'New recovery codes were just created for your journal. The old ones no longer work.',
  'passkey-added': 'A new passkey can now sign in to your journal without your password.',
  'passkey-removed': 'One of your passkeys no longer signs in to your journal.',
  'passkey-enabled': 'A passkey that was turned off can sign in to your journal again.',
  'google-connected': 'A Google account can now sign in to your journal without your password.',
  'google-disconnected': 'Your Google account no longer signs in to your journal.',
  'google-enabled': 'A Google account that was turned off can sign in to your journal again.',
  'google-merged': mergedSentence('Google'),
  'github-connected': 'A GitHub account can now sign in to your journal without your password.',
  'github-disconnected': 'Your GitHub account no longer signs in to your journal.',
  'github-enabled': 'A GitHub account that was turned off can sign in to your journal again.',
  'github-merged': mergedSentence('GitHub'),
};

/** Writes the notice of a change, with the link that undoes it. */
export function changeMail(to: string, change: Change, link: Link, by: 'owner' | 'operator'): Promise<Mail> {
  const subject = NOTICE_SUBJECTS[change];
  const { intro, unwanted, footnote } = CHANGED_BY[by];
  return renderEmail({ email: to }, subject, {
    preview: `${unwanted}, you can undo it.`,
    heading: subject,
    paragraphs: [
      ...intro,
      SENTENCES[change],
      `${unwanted}, undo it. That also undoes every change made since, and signs out every device.`,
    ],
    action: { label: 'Undo and secure my account', url: address(link) },
    footnote,
  });
}

/**
 * Writes the notice of a sign-in from a new device, with the link that signs it out.
 * @param device in words of ours, for instance 'Firefox on Linux'
 */
export function deviceMail(to: string, device: string, link: Link): Promise<Mail> {
  const where = device === 'Unknown device' ? 'a new device' : `${device}, a device you haven’t used before`;
  return renderEmail({ email: to }, NOTICE_SUBJECTS.device, {
    preview: 'If this wasn’t you, you can sign that device out.',
    heading: NOTICE_SUBJECTS.device,
    paragraphs: [
      `Someone just signed in to your journal from ${where}.`,
      'If this wasn’t you, sign that device out and reset your password.',
    ],
    action: { label: 'Sign out this device', url: address(link) },
    footnote: FOOTNOTE,
  });
}
