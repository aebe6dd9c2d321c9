import type { ProviderName } from '@/lib/account/providers/contract';
import { PROVIDER_LABELS } from '@/lib/account/providers/shared/provider-labels';
import type { Mail } from '@/lib/clients/mail-message';
import { emailedLink } from '@/lib/messaging/mails/account-mails';
import { renderEmail } from '@/lib/messaging/mails/write-mail';

interface Link {
  userId: string;
  token: string;
}

const addressOf = ({ userId, token }: Link): string => emailedLink('security_notice', userId, token);

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

/** What an email is about, as its subject and as the heading of the page that its link opens, and what it goes on with. */
interface Notice {
  subject: string;
  /** No words of a person's own: a name could read like a link or an instruction. */
  sentence: string;
}

function providerNotices<P extends ProviderName>(provider: P) {
  const name = PROVIDER_LABELS[provider];
  const subject = `${name} was connected to your journal`;
  return {
    [`${provider}-connected`]: {
      subject,
      sentence: `A ${name} account can now sign in to your journal without your password.`,
    },
    [`${provider}-disconnected`]: {
      subject: `${name} was disconnected from your journal`,
      sentence: `Your ${name} account no longer signs in to your journal.`,
    },
    [`${provider}-enabled`]: {
      subject: `${name} was turned back on for your journal`,
      sentence: `A ${name} account that was turned off can sign in to your journal again.`,
    },
    [`${provider}-merged`]: {
      subject,
      sentence: `A ${name} account with this address just signed in to your journal. To keep everyone else out, your old password no longer works, every device was signed out, and your other ways to sign in were turned off until you turn them back on in Settings.`,
    },
  } as Record<`${P}-${'connected' | 'disconnected' | 'enabled' | 'merged'}`, Notice>;
}

const CHANGES = {
  'password-changed': {
    subject: 'Your password was changed',
    sentence: 'The password for your journal was just changed, and every other device was signed out.',
  },
  'password-reset': {
    subject: 'Your password was reset',
    sentence:
      'The password for your journal was just reset. Every device was signed out, and passkeys and connected accounts were turned off until you turn them back on in Settings.',
  },
  'email-changed': {
    subject: 'Your email address was changed',
    sentence:
      'Your journal now uses a different email address. From now on, you log in with that one and our emails go there.',
  },
  'two-factor-enabled': {
    subject: 'Two-factor login was turned on',
    sentence: 'Logging in to your journal now takes a code from an authenticator app.',
  },
  'two-factor-disabled': {
    subject: 'Two-factor login was turned off',
    sentence: 'Your password alone is now enough to log in to your journal.',
  },
  'recovery-codes-renewed': {
    subject: 'You have new recovery codes',
    sentence: 'New recovery codes were just created for your journal. The old ones no longer work.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your journal',
    sentence: 'A new passkey can now sign in to your journal without your password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your journal',
    sentence: 'One of your passkeys no longer signs in to your journal.',
  },
  'passkey-enabled': {
    subject: 'A passkey was turned back on for your journal',
    sentence: 'A passkey that was turned off can sign in to your journal again.',
  },
  ...providerNotices('google'),
  ...providerNotices('github'),
} satisfies Record<string, Notice>;

export type Change = keyof typeof CHANGES;
export type NoticeKind = Change | 'device';

const NEW_DEVICE = 'New sign-in to your journal';

/** Returns what a notice is about, as the subject of its email and the heading of the page that its link opens. */
export const noticeSubject = (kind: NoticeKind): string =>
  kind === 'device' ? NEW_DEVICE : CHANGES[kind].subject;

/** Writes the notice of a change, with the link that undoes it. */
export function changeMail(to: string, change: Change, link: Link, by: 'owner' | 'operator'): Promise<Mail> {
  const { subject, sentence } = CHANGES[change];
  const { intro, unwanted, footnote } = CHANGED_BY[by];
  return renderEmail({ email: to }, subject, {
    preview: `${unwanted}, you can undo it.`,
    paragraphs: [
      ...intro,
      sentence,
      `${unwanted}, undo it. That also undoes every change made since, and signs out every device.`,
    ],
    action: { label: 'Undo and secure my account', url: addressOf(link) },
    footnote,
  });
}

/**
 * Writes the notice of a sign-in from a new device, with the link that signs it out.
 * @param device in words of ours, for instance 'Firefox on Linux'
 */
export function deviceMail(to: string, device: string, link: Link): Promise<Mail> {
  const where = device === 'Unknown device' ? 'a new device' : `${device}, a device you haven’t used before`;
  return renderEmail({ email: to }, NEW_DEVICE, {
    preview: 'If this wasn’t you, you can sign that device out.',
    paragraphs: [
      `Someone just signed in to your journal from ${where}.`,
      'If this wasn’t you, sign that device out and reset your password.',
    ],
    action: { label: 'Sign out this device', url: addressOf(link) },
    footnote: FOOTNOTE,
  });
}
