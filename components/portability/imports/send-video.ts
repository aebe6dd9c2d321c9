import { abortRemoteUpload } from '@/components/capture/uploads/transfer/open-upload';
import type { PartSource } from '@/components/capture/uploads/transfer/send-parts';
import { sendFile, type UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { callInTime, retry } from '@/components/device/transfer/retry';
import { isFinal } from './import-error';

/** The options of a call that an import makes. */
interface ImportCall {
  signal: AbortSignal;
  onExpired: 'throw';
}

/**
 * Calls the API, and again for as long as it can't be reached.
 * @throws ApiError, or the signal's reason if it's aborted
 */
export const callWithRetries = <T>(
  work: (options: ImportCall) => Promise<T>,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<T> =>
  retry(() => callInTime((inTime) => work({ signal: inTime, onExpired: 'throw' }), signal), events, signal);

/**
 * Sends the video of an entry that was opened, after what belongs before it.
 * @param before sends that
 * @throws like an item's `send`
 */
export async function sendVideo(
  entryId: string,
  source: PartSource,
  events: UploadEvents,
  signal: AbortSignal,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await before();
    const completionError = await sendFile(entryId, source, [], events, signal);
    if (completionError) throw completionError;
  } catch (error) {
    // What has arrived is of no use, and would take up space for a day.
    if (isFinal(error)) await abortRemoteUpload(entryId);
    throw error;
  }
}
