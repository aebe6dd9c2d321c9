import { AppError } from '@/lib/foundation/contract/errors';

/** Returns the status of storage's response to a failed call; undefined if there was none. */
export function storageStatusOf(error: unknown): number | undefined {
  const cause = error instanceof AppError ? error.cause : error;
  return (cause as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** Statuses about the object or the part that was asked for: missing, another version, or out of range. */
const ABOUT_OBJECTS = new Set([404, 412, 416]);
/** What's missing may also be the bucket, or the key's owner at versitygw. */
const ABOUT_SETTINGS = new Set(['NoSuchBucket', 'XAdminUserNotFound']);
const ABOUT_PARTS = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

/**
 * Returns an error of the storage client as the app's own: AppError `unavailable` if storage didn't respond, failed, or
 * refused the key, region or bucket that it's configured with, or if the response isn't S3's: Traefik, for one, answers
 * 404 for a server that's down. Errors about an object or a part stay as they are.
 */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const status = storageStatusOf(error);
  if (status === undefined) {
    // Network errors have a code, and the client adds $metadata to whatever it gave up on.
    const isOfNetwork = '$metadata' in error || 'code' in error || /^(Abort|Timeout)Error$/.test(error.name);
    return isOfNetwork ? new AppError('unavailable', { cause: error }) : error;
  }
  const isExpected =
    (ABOUT_OBJECTS.has(status) && !ABOUT_SETTINGS.has(error.name)) || ABOUT_PARTS.has(error.name);
  // The client sets $fault on errors that it can read. The others are pages of a proxy or of a different server.
  const isFromStorage = '$fault' in error;
  return isExpected && isFromStorage ? error : new AppError('unavailable', { cause: error });
}

/** Returns whether there's no such object. Responses to HEAD have no body, so only the status tells. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && !(error instanceof AppError) && storageStatusOf(error) === 404;
}
