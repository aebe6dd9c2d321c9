import { StorageError, UPLOAD_PROBLEMS } from '@/components/device/transfer/upload-problem';
import { errorMessage } from '@/components/ui/error-message';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { ArchiveProblem, PROBLEMS } from './archive-problem';

/** Statuses of answers that are the same whenever the request is sent again. */
const FINAL_STATUSES = new Set([400, 413, 415]);

/** Returns whether something can't be imported from this archive, however often it's tried. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ArchiveProblem || (error instanceof ApiError && FINAL_STATUSES.has(error.status));

/** Returns whether an error isn't one entry's: the rest would fail, too. */
export const stopsEverything = (error: unknown): boolean =>
  error instanceof StorageError ||
  (error instanceof ApiError && (error.status === 401 || error.status === 409));

/** Returns what to tell the person about an error. */
export function importErrorMessage(error: unknown): string {
  if (error instanceof ArchiveProblem) return error.message;
  if (error instanceof StorageError) return error.problem.sentence;
  if (error instanceof DOMException) return UPLOAD_PROBLEMS.fileChanged.sentence;
  if (!(error instanceof ApiError)) return PROBLEMS.unexpected;
  return error.status === 0 ? UPLOAD_PROBLEMS.notReached.sentence : errorMessage(error);
}
