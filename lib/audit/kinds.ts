/** What is noted, and how its account's owner reads it. `detail` says more where a word more helps. */
export const KINDS = {
  'account.registered': 'Account opened',
  'account.taken': 'Somebody tried to sign up with your address',
  'account.verified': 'Email address verified',
  'email.change-rejected': 'Change of the email address rejected by whoever has the new one',
  'email.change-requested': 'Change of the email address requested',
  'email.changed': 'Email address changed',
  'identity.connected': 'Connected',
  'identity.disconnected': 'Disconnected',
  'identity.enabled': 'Sign-in turned back on',
  'identity.refused': 'Sign-in refused',
  'link.refused': 'A link from a mail was refused',
  'login.accepted': 'Signed in',
  'login.code-refused': 'A wrong code was refused',
  'login.recovery-code': 'A recovery code was used',
  'login.refused': 'A wrong password was refused',
  'notice.used': 'Undone by the link in a security email',
  'passkey.added': 'Passkey added',
  'passkey.enabled': 'Passkey turned back on',
  'passkey.refused': 'A passkey was refused',
  'passkey.removed': 'Passkey removed',
  'password.changed': 'Password changed',
  'password.refused': 'A wrong current password was refused',
  'password.reset': 'New password set by mail',
  'password.revoked': 'Password removed, because it may not have been yours',
  'reset.requested': 'Link for a new password requested',
  'session.ended': 'Signed out',
  'session.others-ended': 'Signed out everywhere else',
  'session.reused': 'Signed out, because the session seemed to be copied',
  'session.revoked': 'Another device signed out',
  'two-factor.codes-renewed': 'New recovery codes made',
  'two-factor.disabled': 'Two-factor login switched off',
  'two-factor.enabled': 'Two-factor login switched on',
  'two-factor.removed': 'Authenticator app removed, because it may not have been yours',
  'ways-in.disabled': 'Passkeys and connected accounts turned off',
} as const satisfies Record<string, string>;

export type Kind = keyof typeof KINDS;

/** Rare, and worth a look of whoever runs the site. */
export const ALARMING: ReadonlySet<Kind> = new Set<Kind>([
  'login.recovery-code',
  'password.revoked',
  'session.reused',
  'two-factor.removed',
]);
