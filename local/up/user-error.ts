/** The name of errors that a person can fix. Their message is shown without a stack. */
const USER_ERROR = 'UserError';

/** Returns an error whose message is a full sentence that says what to do. `cause` only goes to the log. */
export function userError(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause });
  error.name = USER_ERROR;
  return error;
}

const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const isDiskFull = (error: unknown): boolean =>
  errorCode(error) === 'ENOSPC' ||
  errorCode(error) === 'EDQUOT' ||
  // PostgreSQL's class 53 (insufficient resources), condition disk_full.
  errorCode(error) === '53100' ||
  /ENOSPC|No space left on device/i.test(error instanceof Error ? error.message : '');

/** Returns the sentence to show for an error. It names `dataDir` if its disk or its permissions are the cause. */
export function describeError(error: unknown, dataDir: string): string {
  if (isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause))) {
    return `The disk is full (the data is in ${dataDir}). Free some space, or set DATA_DIR to a folder on another disk, and start again.`;
  }
  if (error instanceof Error && error.name === USER_ERROR) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM' || errorCode(error) === 'EROFS') {
    return `Can't write a file: ${message}. Check that you own ${dataDir} and this folder, or set DATA_DIR to a folder you own.`;
  }
  return message;
}

/** Returns whether an error is one that a person can fix, so its stack isn't needed. */
export const isUserError = (error: unknown): boolean => error instanceof Error && error.name === USER_ERROR;
