/** Failures that a person can do something about: their message is shown as it is, without a stack. */
const USER_ERROR = 'Trouble';

/** An error whose message is a full sentence with what to do; `cause` goes to the log only. */
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

/** The sentence to show for any failure; `dataDir` is named where its disk or its rights are the cause. */
export function describeError(error: unknown, dataDir: string): string {
  if (isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause))) {
    return `The disk is full (the data is in ${dataDir}). Free some space, or set DATA_DIR to a folder on another disk, and start again.`;
  }
  if (error instanceof Error && error.name === USER_ERROR) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM' || errorCode(error) === 'EROFS') {
    return `A file cannot be written: ${message}. Check that ${dataDir} and this folder belong to you, or set DATA_DIR to a folder that does.`;
  }
  return message;
}

/** True for a failure that was foreseen, so that its stack would only be noise. */
export const isUserError = (error: unknown): boolean => error instanceof Error && error.name === USER_ERROR;
