import type { Mutant } from './mutant';

/** A mutant that no test can notice, since the product does the same with it. */
interface Equivalent {
  file: string;
  /** What's replaced, and by what. */
  original: string;
  replacement: string;
  /** The function that it's in, if the same text in others matters. */
  within?: string;
  /** Why it makes no difference. */
  reason: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/journal/transcripts/shared/captions.ts',
    ...{ original: '!first || !last', replacement: 'false' },
    reason: 'A caption that’s being made has a word.',
  },
  {
    file: 'lib/journal/transcripts/shared/merge-corrections.ts',
    ...{ original: '!original || !myWord', replacement: '!myWord' },
    reason: 'There’s no match for a word that isn’t there.',
  },
  {
    file: 'lib/journal/notes/service.ts',
    original: 'entry && entry.noteCount > MAX_ENTRY_NOTES',
    replacement: 'entry.noteCount > MAX_ENTRY_NOTES',
    reason: 'The caller has locked the entry, so it’s there.',
  },
  {
    file: 'lib/journal/entries/trash-space.ts',
    ...{ original: 'since && trashedAt', replacement: 'since' },
    reason: 'What’s in the trash has a time.',
  },
  {
    file: 'lib/journal/entries/trash-space.ts',
    ...{ original: 'inTrash(userId)', replacement: 'undefined', within: '/lockSurplus' },
    reason: 'They were read as being there, under the lock that a restore waits for.',
  },
  {
    file: 'lib/journal/transcripts/shared/match-tokens.ts',
    ...{ original: 'index > from && found > place', replacement: 'index > from' },
    reason: 'A stretch that’s compared with nothing has no matches.',
  },
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
    file: 'lib/clients/stripe.ts',
    original: "status !== 'canceled' && status !== 'incomplete_expired'",
    replacement: "status !== 'canceled'",
    reason: 'Stripe says that there’s nothing to cancel, which isn’t an error.',
  },
  {
    file: 'lib/video/uploads/complete.ts',
    original: 'part.number === index + 1 &&\n      part.size === partSize(part.number, fileSize)',
    replacement: 'part.size === partSize(part.number, fileSize)',
    reason: 'Numbers are unique, and no part after the last has a size.',
  },
  {
    file: 'lib/journal/entries/trash.ts',
    ...{ original: 'isDue', replacement: 'undefined', within: '/purgeOldTrash' },
    reason: 'Each transaction asks again which are due.',
  },
  {
    file: 'lib/portability/exports/service.ts',
    original: "row.status !== 'ready' || !row.layoutId",
    replacement: "row.status !== 'ready'",
    reason: 'What’s ready has a layout.',
  },
  {
    file: 'lib/billing/subscriptions/service.ts',
    ...{ original: 'open && row.checkoutId', replacement: 'row.checkoutId' },
    reason: 'Stripe refuses to end a payment page that has ended, which is no error.',
  },
  {
    file: 'lib/journal/transcripts/revisions.ts',
    ...{ original: 'revision === null || createdAt === null', replacement: 'createdAt === null' },
    reason: 'A row that isn’t there has neither.',
  },
  {
    file: 'lib/portability/exports/assemble.ts',
    ...{ original: '!layoutId || !multipartId', replacement: '!multipartId' },
    reason: 'A layout and its upload are recorded and discarded together.',
  },
  {
    file: 'lib/portability/exports/assemble.ts',
    original: '!layoutId || !multipartId || bytes === null',
    replacement: 'bytes === null',
    reason: 'Its size is recorded with a layout and discarded with it.',
  },
  {
    file: 'lib/journal/transcripts/learn.ts',
    original: `(
      select jsonb_array_length(words) from transcripts where entry_id = id order by revision desc limit 1
    ) > \${MAX_INDEXED_AT_ONCE}`,
    replacement: 'true',
    reason: 'To index again what’s indexed changes nothing.',
  },
  {
    file: 'lib/journal/transcripts/revision-words.ts',
    ...{ original: 'holder.entry_id = transcripts.entry_id', replacement: 'true' },
    reason: 'Words that are shared have an id of their own.',
  },
  {
    file: 'lib/clients/storage-listing.ts',
    ...{ original: 'page.IsTruncated', replacement: 'true' },
    reason: 'The last page has no token for another one.',
  },
  {
    file: 'lib/journal/search/terms.ts',
    ...{ original: '.filter((list) => list.length > 0)', replacement: '' },
    reason: 'Empty lists add nothing to the merged one; without them, a single list isn’t sorted again.',
  },
  {
    file: 'lib/journal/transcripts/machine-transcript.ts',
    ...{ original: 'eq(transcripts.draft, true)', replacement: 'undefined' },
    reason: 'The other revisions are no drafts already.',
  },
  {
    file: 'lib/messaging/outbox/delivery.ts',
    original: `error instanceof Error && 'permanent' in error && error.permanent === true`,
    replacement: 'error.permanent === true',
    reason: 'Whatever is thrown here is an object; TypeScript can’t know.',
  },
  {
    file: 'lib/foundation/http/server/intercept-servers.ts',
    ...{
      original: `handle instanceof Socket && 'server' in handle`,
      replacement: 'handle instanceof Socket',
    },
    reason: 'A socket without a server has none that’s an HTTP server.',
  },
  {
    file: 'lib/operations/health/comparison/entry-rows.ts',
    ...{ original: 'isNotNull(entries.trashedAt)', replacement: 'undefined' },
    reason: 'The caller makes a map of the rows, so that one may be there twice.',
  },
  {
    file: 'lib/video/processing/watchdog.ts',
    ...{ original: '!entry', replacement: 'false', within: '/resume/' },
    reason: 'A job goes with its entry, and one that’s gone isn’t sent again.',
  },
  {
    file: 'lib/operations/health/comparison/files.ts',
    ...{ original: 'suspects.length >= BATCH', replacement: 'true' },
    reason: 'Entries are reported in batches only to ask the database less often.',
  },
  {
    file: 'lib/clients/stripe.ts',
    ...{ original: 'customer && idOf(customer)', replacement: 'customer' },
    reason: 'Stripe has only the id of what it isn’t asked to expand.',
  },
  {
    file: 'lib/video/uploads/parts.ts',
    ...{ original: 'eq(uploads.entryId, entryId)', replacement: 'undefined', within: '/isMultipart' },
    reason: 'Storage gives every upload an id of its own.',
  },
  {
    file: 'lib/billing/subscriptions/subscription.ts',
    original: `status === 'past_due' && graceEndsAt !== null`,
    replacement: `status === 'past_due'`,
    reason: 'No date is before null.',
  },
  {
    file: 'lib/portability/imports/clips/service.ts',
    ...{ original: 'eq(entries.userId, userId)', replacement: 'undefined', within: '/listClips' },
    reason: 'The entries of an import are its account’s.',
  },
  {
    file: 'lib/video/processing/lease.ts',
    ...{ original: '!ended', replacement: 'false', within: '/takeLease' },
    reason: 'To ask again right away only costs more queries.',
  },
  {
    file: 'lib/account/providers/providers.ts',
    original: 'GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET',
    replacement: 'GOOGLE_CLIENT_ID',
    reason: 'A site doesn’t start with only one of the two settings.',
  },
  {
    file: 'lib/api/parse-in-steps.ts',
    ...{ original: 'rest.schema === field', replacement: 'false' },
    reason: 'An object with the schema that a field has is the same object.',
  },
  {
    file: 'lib/api/request-guard.ts',
    ...{ original: `url.startsWith('/')`, replacement: 'false', within: '/takeAbsoluteForm' },
    reason: 'A path is no absolute address, which is found out a little later.',
  },
  {
    file: 'lib/account/security/snapshot.ts',
    ...{ original: '!found', replacement: 'false' },
    reason: 'The account is locked before it’s read.',
  },
  {
    file: 'lib/video/uploads/complete.ts',
    original: '!object?.size || !hasTitle || (details && details.size !== object.size)',
    replacement: '!object?.size || !hasTitle',
    reason: 'Whoever has details has just compared the sizes.',
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
    file: 'lib/api/operations.ts',
    original: "typeof value === 'object' && value !== null && 'method' in value && 'access' in value",
    replacement: "typeof value === 'object' && value !== null && 'method' in value",
    reason: 'What has a method has access, too.',
  },
  {
    file: 'lib/messaging/outbox/service.ts',
    ...{ original: "eq(outbox.kind, 'event')", replacement: 'undefined', within: '/deleteAccountMessages' },
    reason: 'The payload of an email is encrypted, so no id is in it.',
  },
  {
    file: 'lib/video/uploads/abandoned.ts',
    ...{ original: 'mayHaveArrived', replacement: 'undefined', within: '/markArrived' },
    reason: 'An upload without a title is a recording that’s still running, so it isn’t whole yet.',
  },
];

/** Returns why a mutant is equivalent to the product, or undefined if it isn't known to be. */
export const whyEquivalent = ({ file, original, replacement, within }: Mutant): string | undefined =>
  EQUIVALENTS.find(
    (known) =>
      known.file === file &&
      known.original === original &&
      known.replacement === replacement &&
      (known.within === undefined || known.within === within),
  )?.reason;
