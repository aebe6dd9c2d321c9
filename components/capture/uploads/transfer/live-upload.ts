import { recordingFile } from '@/components/capture/recorder/recording-store';
import { createPageStore } from '@/components/device/page-store';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import { loadCodePatiently } from '@/components/ui/load-code';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import { abortRemoteUpload, PART_BYTES } from './open-upload';
import type { UploadEvents } from './upload-file';

/**
 * Whether a recording is being uploaded as it's made: `short` ones fit one part and wait for the end, `full` ones
 * exceed the plan, `off` ones are saved on this device only. A problem is what it's waiting for.
 */
export type LiveUploadState = 'short' | 'saving' | 'full' | 'off' | UploadProblem;

/**
 * Collects slices of a recording into parts, as a growing source of them: a part is available once all its bytes are, the
 * last one after the end.
 */
export function createPartBuffer(partSize: number) {
  const parts: Blob[] = [];
  let rest: Blob[] = [];
  let restSize = 0;
  let size = 0;
  let ended = false;
  let wake = () => {};

  return {
    write(slice: Blob): void {
      size += slice.size;
      let left = slice;
      while (restSize + left.size >= partSize) {
        const fits = partSize - restSize;
        parts.push(new Blob([...rest, left.slice(0, fits)]));
        left = left.slice(fits);
        [rest, restSize] = [[], 0];
      }
      if (left.size > 0) rest.push(left);
      restSize += left.size;
      wake();
    },
    /** Called after the last slice. */
    end(): void {
      ended = true;
      if (restSize > 0) parts.push(new Blob(rest));
      wake();
    },
    /** Bytes so far. */
    size: () => size,
    async getPart(number: number): Promise<Blob | null> {
      while (parts.length < number && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return parts[number - 1] ?? null;
    },
  };
}

/** A recording that's uploaded as it's made. */
export type LiveUpload = ReturnType<typeof startLiveUpload>;

/**
 * Starts to upload a recording.
 * @param id the client_id: that of the recording's local copy, if it has one
 * @param mimeType the recorder's media type
 * @param onState called when it starts to send, has a problem, or ends with one
 */
function startLiveUpload(id: string, mimeType: string, onState: (state: LiveUploadState) => void) {
  const source = createPartBuffer(PART_BYTES);
  const md5s: string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  let entryId: string | null = null;
  let sentBytes = 0;
  let problem: UploadProblem | null = null;
  /** Those of the queue, once it waits for this upload. */
  let queueEvents: UploadEvents | null = null;

  const events: UploadEvents & { wakeUps: EventTarget } = {
    onOpened(opened) {
      entryId = opened;
      queueEvents?.onOpened(opened);
    },
    onProgress(sent) {
      sentBytes = sent;
      queueEvents?.onProgress(sent);
    },
    onProblem(found) {
      problem = found;
      onState(found ?? 'saving');
      queueEvents?.onProblem(found);
    },
    wakeUps: new EventTarget(),
  };

  async function send(): Promise<void> {
    // Start once there's more than one part: most recordings that are discarded are shorter.
    await source.getPart(1);
    if (source.size() <= PART_BYTES) await source.getPart(2);
    if (source.size() <= PART_BYTES || signal.aborted) return;
    const { uploadWhileRecording } = await loadCodePatiently(() => import('./upload-file'));
    await uploadWhileRecording(id, recordingFile([], mimeType), source, md5s, events, signal);
  }

  /** Stops to send, and deletes what was uploaded. */
  function cancel(): void {
    controller.abort();
    if (entryId) void abortRemoteUpload(entryId);
  }

  const sending = send().catch((error: unknown) => {
    logRejected(error);
    onState(error instanceof ApiError && error.code === 'quota_reached' ? 'full' : 'off');
  });
  return {
    id,
    write: source.write,
    end: source.end,
    /**
     * Waits until everything recorded so far is uploaded, or nothing more can be. What happens, and has happened, is
     * reported to `reported` from then on.
     * @returns the checksums of the parts that were sent, in order
     * @throws the reason of `waiting` if it's aborted, which cancels the upload
     */
    async waitUntilSent(reported: UploadEvents, waiting: AbortSignal): Promise<string[]> {
      queueEvents = reported;
      if (entryId) reported.onOpened(entryId);
      if (sentBytes > 0) reported.onProgress(sentBytes);
      reported.onProblem(problem);
      const over = new AbortController();
      waiting.addEventListener('abort', cancel, { signal: over.signal });
      const wake = () => events.wakeUps.dispatchEvent(new Event('retry'));
      reported.wakeUps?.addEventListener('retry', wake, { signal: over.signal });
      await sending;
      over.abort();
      waiting.throwIfAborted();
      return md5s;
    },
    /** Stops to send. Uploaded parts stay, and are used once the recording is recovered. */
    stop: () => controller.abort(),
    cancel,
  };
}

export type LiveUploads = ReturnType<typeof createLiveUploads>;

/**
 * Uploads the studio's recordings as they're made: it gets every slice in order, in addition to the local copy. Only the
 * latest one counts. Handles its own errors: it never throws into the recorder.
 */
export function createLiveUploads() {
  const state = createPageStore<LiveUploadState>('short');
  let latest: { recordingId: string | null; upload: LiveUpload; isInQueue: boolean } | null = null;

  return {
    /**
     * Called when the recorder starts.
     * @param recordingId the id of the local copy; null if there is none
     * @param mimeType the recorder's media type with its codecs
     */
    begin(recordingId: string | null, mimeType: string): void {
      if (latest && !latest.isInQueue) latest.upload.cancel();
      const upload = startLiveUpload(recordingId ?? crypto.randomUUID(), mimeType, (next) => {
        if (latest?.upload === upload) state.set(next);
      });
      latest = { recordingId, upload, isInQueue: false };
      state.set('short');
    },
    write: (slice: Blob): void => latest?.upload.write(slice),
    /** Called after the last slice. */
    end: (): void => latest?.upload.end(),
    state,
    /**
     * Leaves a recording's upload to the queue.
     * @param recordingId the id of its local copy; null if it has none
     * @returns null unless it's the latest one
     */
    handOver(recordingId: string | null): LiveUpload | null {
      if (!latest || latest.recordingId !== recordingId) return null;
      latest.isInQueue = true;
      return latest.upload;
    },
    /** Stops when the page closes, unless the queue has the upload. */
    stop(): void {
      if (latest && !latest.isInQueue) latest.upload.stop();
    },
  };
}
