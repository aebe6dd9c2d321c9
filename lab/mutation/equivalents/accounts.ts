import type { Equivalent } from './equivalent';

/** Mutants of accounts, plans, and messages. */
export const ACCOUNTS_EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/account/two-factor/totp-secret.ts',
    ...{ original: 'env().AUTH_SECRET.length < 2', replacement: 'false' },
    reason: 'With one secret, nothing is encrypted by an older one.',
  },
  {
    file: 'lib/account/security/notices.ts',
    ...{ original: '!userId', replacement: 'false', within: '/undoNotice' },
    reason: 'Without an account there’s no notice, which ends the same.',
  },
  {
    file: 'lib/account/sessions/service.ts',
    ...{ original: 'isNotNull(refreshTokens.sealedPair)', replacement: 'undefined' },
    reason: 'A pair that’s gone stays gone.',
  },
  {
    file: 'lib/account/webauthn/assertion.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it's written in the source
    ...{ original: '${counter} = 0', replacement: 'true' },
    reason: 'From 0, a counter that isn’t 0 has counted on.',
  },
  {
    file: 'lib/billing/subscriptions/service.ts',
    ...{ original: 'open && row.checkoutId', replacement: 'row.checkoutId' },
    reason: 'Stripe refuses to end a payment page that has ended, which is no error.',
  },
  {
    file: 'lib/messaging/outbox/delivery.ts',
    original: `error instanceof Error && 'permanent' in error && error.permanent === true`,
    replacement: 'error.permanent === true',
    reason: 'Whatever is thrown here is an object; TypeScript can’t know.',
  },
  {
    file: 'lib/billing/subscriptions/subscription.ts',
    original: `status === 'past_due' && graceEndsAt !== null`,
    replacement: `status === 'past_due'`,
    reason: 'No date is before null.',
  },
  {
    file: 'lib/account/providers/providers.ts',
    original: 'GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET',
    replacement: 'GOOGLE_CLIENT_ID',
    reason: 'A site doesn’t start with only one of the two settings.',
  },
  {
    file: 'lib/account/security/snapshot.ts',
    ...{ original: '!found', replacement: 'false' },
    reason: 'The account is locked before it’s read.',
  },
  {
    file: 'lib/account/providers/sign-in.ts',
    ...{ original: '!owner', replacement: 'false', within: '/findByAddress' },
    reason: 'Without it, the next line throws, too.',
  },
  {
    file: 'lib/account/passwords/links.ts',
    ...{ original: "linksOf(userId, 'email')", replacement: 'undefined', within: '/findEmailLink' },
    reason: 'Only links of this purpose have an address, and the caller wants one.',
  },
  {
    file: 'lib/account/security/notices.ts',
    ...{ original: '!owner', replacement: 'false', within: '/sendDeviceNotice' },
    reason: 'Without it, the email of nobody throws, too.',
  },
  {
    file: 'lib/account/sessions/tokens.ts',
    original: "typeof claims.exp !== 'number' || claims.exp * 1000 <= Date.now()",
    replacement: 'claims.exp * 1000 <= Date.now()',
    reason: 'Every token that we encrypt has a time, and no other one can be decrypted.',
  },
  {
    file: 'lib/messaging/outbox/service.ts',
    ...{ original: "eq(outbox.kind, 'event')", replacement: 'undefined', within: '/deleteAccountMessages' },
    reason: 'The payload of an email is encrypted, so no id is in it.',
  },
  {
    file: 'lib/account/passwords/links.ts',
    ...{ original: 'userId === null', replacement: 'false', within: '/findEmailLink' },
    reason: 'No link belongs to nobody.',
  },
  {
    file: 'lib/account/deletion/pending-deletion.ts',
    ...{ original: 'lt', replacement: 'mutatedDrizzle.lte', within: '/restartWait' },
    reason: 'Only a wait that began in the same microsecond ends in the same one.',
  },
  {
    file: 'lib/account/passkeys/service.ts',
    ...{ original: 'desc', replacement: 'mutatedDrizzle.asc', within: '/passkeyOptions' },
    reason: 'Browsers look at all of them, in whatever order.',
  },
  {
    file: 'lib/billing/subscriptions/customer.ts',
    original: "one.plan && entitledPlan([one]) !== 'Free'",
    replacement: "entitledPlan([one]) !== 'Free'",
    reason: 'A price that isn’t ours entitles to nothing.',
  },
];
