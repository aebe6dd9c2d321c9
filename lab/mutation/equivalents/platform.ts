import type { Equivalent } from './equivalent';

/** Mutants of what all else stands on. */
export const PLATFORM_EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/clients/stripe.ts',
    original: "status !== 'canceled' && status !== 'incomplete_expired'",
    replacement: "status !== 'canceled'",
    reason: 'Stripe says that there’s nothing to cancel, which isn’t an error.',
  },
  {
    file: 'lib/clients/storage-listing.ts',
    ...{ original: 'page.IsTruncated', replacement: 'true' },
    reason: 'The last page has no token for another one.',
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
    file: 'lib/api/operations.ts',
    original: "typeof value === 'object' && value !== null && 'method' in value && 'access' in value",
    replacement: "typeof value === 'object' && value !== null && 'method' in value",
    reason: 'What has a method has access, too.',
  },
  {
    file: 'lib/api/limit-body.ts',
    original: `request.once('close', () => arriving.release(request));`,
    ...{ replacement: ';', within: '/limitBody' },
    reason: 'The response closes with its connection, too.',
  },
  {
    file: 'lib/clients/stripe.ts',
    original: "error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing'",
    replacement: "error.code === 'resource_missing'",
    reason: 'Only errors of Stripe have this code.',
  },
  {
    file: 'lib/operations/health/comparison/files.ts',
    ...{ original: 'suspects.length >= BATCH', replacement: 'false' },
    reason: 'Those that are left are reported in the end, of whatever number.',
  },
  {
    file: 'db/prepared.ts',
    ...{ original: 'known', replacement: 'false' },
    reason: 'A statement that’s built again is the same. Not building it is faster.',
  },
  {
    file: 'lib/operations/health/comparison/files.ts',
    ...{ original: '>', replacement: '>=', within: '/compareEntryFiles/compare' },
    reason: 'An entry without issues has none to report.',
  },
  {
    file: 'db/migrate.ts',
    ...{ original: '!folder', replacement: 'false', within: '/readMigrations' },
    reason: 'Without the folder, reading it throws, too.',
  },
];
