import type { NoticeKind } from './contract';

/** What each security email is about, as its subject and as the heading of the page that its link opens. */
export const SUBJECTS: Record<NoticeKind, string> = {
  device: 'New sign-in to your journal',
  'password-changed': 'Your password was changed',
  'email-changed': 'Your email address was changed',
  'two-factor-enabled': 'Two-factor login was turned on',
  'two-factor-disabled': 'Two-factor login was turned off',
  'recovery-codes-renewed': 'You have new recovery codes',
  'passkey-added': 'A passkey was added to your journal',
  'passkey-removed': 'A passkey was removed from your journal',
  'google-connected': 'Google was connected to your journal',
  'google-disconnected': 'Google was disconnected from your journal',
  'github-connected': 'GitHub was connected to your journal',
  'github-disconnected': 'GitHub was disconnected from your journal',
};
