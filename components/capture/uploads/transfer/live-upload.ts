import type { RecordingSink } from '@/components/capture/recorder/recording-session';
import { recordingFile } from '@/components/capture/recorder/recording-store';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import { loadCodePatiently } from '@/components/ui/load-code';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import { abortRemoteUpload, PART_BYTES } from './open-upload';
import { createPartBuffer } from './part-buffer';
import type { UploadEvents } from './upload-file';

/**
 * Whether a recording is being uploaded as it's made: `short` ones fit one part and wait for the end, `full` ones
 * exceed the plan, `off` ones are saved on this device only. A problem is what it's waiting for.
 */
export type LiveUploadState = 'none' | 'short' | 'saving' | 'full' | 'off' | UploadProblem;

/** A recording that's uploaded as it's made. */
export interface LiveUpload {
  /** The client_id. The same as that of the recording's local copy, if it has one. */
  id: string;
  /** Receives the next slice. */
  write(slice: Blob): void;
  /** Called after the last slice. */
  end(): void;
  /**
   * Waits until everything recorded so far is uploaded, or nothing more can be. What happens, and has happened, is
   * reported to `events` from then on.
   * @returns the checksums of the parts that were sent, in order
   * @throws the signal's reason if it's aborted, which cancels the upload
   */
  waitUntilSent(events: UploadEvents, signal: AbortSignal): Promise<string[]>;
  /** Stops to send. Uploaded parts stay, and are used once the recording is recovered. */
  stop(): void;
  /** Stops to send, and deletes what was uploaded. */
  cancel(): void;
}

/**
 * Starts to upload a recording.
 * @param mimeType the recorder's media type
 * @param onState called when it starts to send, has a problem, or ends with one
 */
function startLiveUpload(
  id: string,
  mimeType: string,
  onState: (state: LiveUploadState) => void,
): LiveUpload {
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
    async waitUntilSent(reported, waiting) {
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
    stop: () => controller.abort(),
    cancel,
  };
}

/** Uploads the studio's recordings as they're made. Only the latest one counts. */
export interface LiveUploads extends RecordingSink {
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void;
  state(): LiveUploadState;
  /**
   * Leaves a recording's upload to the queue.
   * @param recordingId the id of its local copy; null if it has none
   * @returns null unless it's the latest one
   */
  handOver(recordingId: string | null): LiveUpload | null;
  /** Stops when the page closes, unless the queue has the upload. */
  stop(): void;
}

export function createLiveUploads(): LiveUploads {
  const listeners = new Set<() => void>();
  let state: LiveUploadState = 'none';
  let latest: { recordingId: string | null; upload: LiveUpload; isInQueue: boolean } | null = null;

  function setState(next: LiveUploadState): void {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  return {
    begin(recordingId, mimeType) {
      if (latest && !latest.isInQueue) latest.upload.cancel();
      const upload = startLiveUpload(recordingId ?? crypto.randomUUID(), mimeType, (next) => {
        if (latest?.upload === upload) setState(next);
      });
      latest = { recordingId, upload, isInQueue: false };
      setState('short');
    },
    write: (slice) => latest?.upload.write(slice),
    end: () => latest?.upload.end(),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    handOver(recordingId) {
      if (!latest || latest.recordingId !== recordingId) return null;
      latest.isInQueue = true;
      return latest.upload;
    },
    stop() {
      if (latest && !latest.isInQueue) latest.upload.stop();
    },
  };
}
