import type { NoticeKind } from './contract';

/** What each security email is about, as its subject and as the heading of the page that its link opens. */
export const NOTICE_SUBJECTS: Record<NoticeKind, string> = {
  device: 'New sign-in to your journal',
  'password-changed': 'Your password was changed',
  'password-reset': 'Your password was reset',
  'email-changed': 'Your email address was changed',
  'two-factor-enabled': 'Two-factor login was turned on',
  'two-factor-disabled': 'Two-factor login was turned off',
  'recovery-codes-renewed': 'You have new recovery codes',
  'passkey-added': 'A passkey was added to your journal',
  'passkey-removed': 'A passkey was removed from your journal',
  'passkey-enabled': 'A passkey was turned back on for your journal',
  'google-connected': 'Google was connected to your journal',
  'google-disconnected': 'Google was disconnected from your journal',
  'google-enabled': 'Google was turned back on for your journal',
  'google-merged': 'Google was connected to your journal',
  'github-connected': 'GitHub was connected to your journal',
  'github-disconnected': 'GitHub was disconnected from your journal',
  'github-enabled': 'GitHub was turned back on for your journal',
  'github-merged': 'GitHub was connected to your journal',
};
