import { isDeviceFull } from '@/components/device/free-space';
import {
  StorageError,
  UPLOAD_PROBLEMS,
  type UploadProblem,
} from '@/components/device/transfer/upload-problem';
import { errorMessage } from '@/components/ui/error-message';

export const NO_SPACE =
  'There isn’t enough space on this device. Free up some space or remove other entries, then try again.';

/** What keeps an upload waiting or failing, in words for a download. */
const SENTENCES = new Map<UploadProblem, string>([
  [UPLOAD_PROBLEMS.offline, 'No connection. The download continues when you’re back online.'],
  [
    UPLOAD_PROBLEMS.storageRefusesSite,
    'Storage doesn’t let this site download videos. Ask the site’s administrator to check storage’s CORS settings.',
  ],
  [
    UPLOAD_PROBLEMS.storageRefused,
    'Storage refused this video. Ask the site’s administrator to check its storage settings, then try again.',
  ],
]);

/** Returns a sentence about what a download waits for. */
export const describeProblem = (problem: UploadProblem): string => SENTENCES.get(problem) ?? problem.sentence;

/** Returns a sentence about an error that ended a download. */
export function describeFailure(error: unknown): string {
  if (isDeviceFull(error)) return NO_SPACE;
  return error instanceof StorageError ? describeProblem(error.problem) : errorMessage(error);
}
