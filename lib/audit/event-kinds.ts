/** What is noted, and how its account's owner reads it. `detail` says more where a word more helps. */
export const EVENT_KINDS = {
  'account.registered': 'Account created',
  'account.taken': 'Someone tried to sign up with your address',
  'account.verified': 'Email address verified',
  'email.change-rejected': 'Email change rejected by the owner of the new address',
  'email.change-requested': 'Email change requested',
  'email.changed': 'Email address changed',
  'identity.connected': 'Connected',
  'identity.disconnected': 'Disconnected',
  'identity.enabled': 'Sign-in turned back on',
  'identity.refused': 'Sign-in blocked',
  'link.refused': 'An emailed link was rejected',
  'login.accepted': 'Signed in',
  'login.code-refused': 'Wrong code entered',
  'login.recovery-code': 'Recovery code used',
  'login.refused': 'Wrong password entered',
  'notice.used': 'Undone by the link in a security email',
  'passkey.added': 'Passkey added',
  'passkey.enabled': 'Passkey turned back on',
  'passkey.refused': 'Passkey rejected',
  'passkey.removed': 'Passkey removed',
  'password.changed': 'Password changed',
  'password.refused': 'Wrong current password entered',
  'password.reset': 'Password reset by email',
  'password.revoked': 'Password removed because it may not have been yours',
  'reset.requested': 'Password reset requested',
  'session.ended': 'Signed out',
  'session.others-ended': 'Signed out everywhere else',
  'session.reused': 'Signed out because the session may have been copied',
  'session.revoked': 'Another device signed out',
  'two-factor.codes-renewed': 'New recovery codes created',
  'two-factor.disabled': 'Two-factor login turned off',
  'two-factor.enabled': 'Two-factor login turned on',
  'two-factor.removed': 'Authenticator app removed because it may not have been yours',
  'ways-in.disabled': 'Passkeys and connected accounts turned off',
} as const satisfies Record<string, string>;

export type EventKind = keyof typeof EVENT_KINDS;

/** Rare, and worth a look of whoever runs the site. */
export const SECURITY_RELEVANT: ReadonlySet<EventKind> = new Set<EventKind>([
  'login.recovery-code',
  'password.revoked',
  'session.reused',
  'two-factor.removed',
]);
