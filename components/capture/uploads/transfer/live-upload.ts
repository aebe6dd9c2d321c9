import type { RecordingSink } from '@/components/capture/recorder/recording-session';
import { recordingFile } from '@/components/capture/recorder/recording-store';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import { loadCodePatiently } from '@/components/ui/load-code';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import { abortRemoteUpload, PART_BYTES } from './open-upload';
import type { PartSource } from './send-parts';
import type { UploadEvents } from './upload-file';

/** Collects slices of a recording into parts. */
interface PartBuffer extends PartSource {
  write(slice: Blob): void;
  /** Called after the last slice. */
  end(): void;
  /** Bytes so far. */
  size(): number;
}

/** Creates a growing source: a part is available once all its bytes are, the last one after the end. */
export function createPartBuffer(partSize: number): PartBuffer {
  const parts: Blob[] = [];
  let rest: Blob[] = [];
  let restSize = 0;
  let size = 0;
  let ended = false;
  let wake = () => {};

  return {
    write(slice) {
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
    end() {
      ended = true;
      if (restSize > 0) parts.push(new Blob(rest));
      wake();
    },
    size: () => size,
    async getPart(number) {
      while (parts.length < number && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return parts[number - 1] ?? null;
    },
  };
}

/**
 * Whether a recording is being uploaded as it's made: `short` ones fit one part and wait for the end, `full` ones
 * exceed the plan, `off` ones are saved on this device only. A problem is what it's waiting for.
 */
export type LiveUploadState = 'none' | 'short' | 'saving' | 'full' | 'off' | UploadProblem;

/** The part of a recording that was uploaded as it was made. */
interface PartialUpload {
  entryId: string | null;
  /** The checksums of its parts, in order. */
  md5s: string[];
}

/** A recording handed over to the upload queue. */
export interface RecordingHandoff {
  /** The client_id that its upload started with. */
  id: string;
  /** Waits until everything recorded so far is uploaded. */
  waitUntilSent(events: UploadEvents, signal: AbortSignal): Promise<PartialUpload>;
}

interface LiveRecording {
  recordingId: string | null;
  id: string;
  source: PartBuffer;
  partialUpload: PartialUpload;
  controller: AbortController;
  handedOver: boolean;
  sent: number;
  problem: UploadProblem | null;
  /** Those of the queue, once it's handed over. */
  events: UploadEvents | null;
  wakeUps: EventTarget;
  /** Resolves once everything is uploaded, or nothing more can be. */
  done: Promise<void>;
}

/** Uploads a recording as it's made. Only the latest recording counts. */
export interface LiveUpload extends RecordingSink {
  subscribe(listener: () => void): () => void;
  state(): LiveUploadState;
  /** Hands a recording over to the queue, whether or not any of it was uploaded. */
  handOver(recordingId: string | null): RecordingHandoff;
  /** Stops when the page closes. Uploaded parts stay, and are used once the recording is recovered. */
  abort(): void;
}

export function createLiveUpload(): LiveUpload {
  const listeners = new Set<() => void>();
  let state: LiveUploadState = 'none';
  let latest: LiveRecording | null = null;

  function setState(live: LiveRecording, next: LiveUploadState): void {
    if (live !== latest || next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  async function run(live: LiveRecording, mimeType: string): Promise<void> {
    const { source, partialUpload, controller } = live;
    const { signal } = controller;
    // Start once there's more than one part: most recordings that are discarded are shorter.
    await source.getPart(1);
    if (source.size() <= PART_BYTES) await source.getPart(2);
    if (source.size() <= PART_BYTES || signal.aborted) return;
    const events: UploadEvents = {
      onOpened(entryId) {
        partialUpload.entryId = entryId;
        live.events?.onOpened(entryId);
      },
      onProgress(sent) {
        live.sent = sent;
        live.events?.onProgress(sent);
      },
      onProblem(problem) {
        live.problem = problem;
        setState(live, problem ?? 'saving');
        live.events?.onProblem(problem);
      },
      wakeUps: live.wakeUps,
    };
    const file = recordingFile([], mimeType);
    const { uploadWhileRecording } = await loadCodePatiently(() => import('./upload-file'));
    await uploadWhileRecording(live.id, file, source, partialUpload.md5s, events, signal);
  }

  function abortLive({ controller, partialUpload }: LiveRecording): void {
    controller.abort();
    if (partialUpload.entryId) void abortRemoteUpload(partialUpload.entryId);
  }

  return {
    begin(recordingId, mimeType) {
      if (latest && !latest.handedOver) abortLive(latest);
      const live: LiveRecording = {
        recordingId,
        id: recordingId ?? crypto.randomUUID(),
        source: createPartBuffer(PART_BYTES),
        partialUpload: { entryId: null, md5s: [] },
        controller: new AbortController(),
        handedOver: false,
        sent: 0,
        problem: null,
        events: null,
        wakeUps: new EventTarget(),
        done: Promise.resolve(),
      };
      latest = live;
      setState(live, 'short');
      live.done = run(live, mimeType).catch((error: unknown) => {
        logRejected(error);
        const full = error instanceof ApiError && error.code === 'quota_reached';
        setState(live, full ? 'full' : 'off');
      });
    },
    write: (slice) => latest?.source.write(slice),
    end: () => latest?.source.end(),

    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,

    handOver(recordingId) {
      const live = latest?.recordingId === recordingId ? latest : null;
      if (live) live.handedOver = true;
      return {
        id: live?.id ?? recordingId ?? crypto.randomUUID(),
        async waitUntilSent(events, signal) {
          if (!live) return { entryId: null, md5s: [] };
          live.events = events;
          if (live.partialUpload.entryId) events.onOpened(live.partialUpload.entryId);
          if (live.sent > 0) events.onProgress(live.sent);
          events.onProblem(live.problem);
          const over = new AbortController();
          const listening = { signal: over.signal };
          signal.addEventListener('abort', () => abortLive(live), listening);
          const wake = () => live.wakeUps.dispatchEvent(new Event('retry'));
          events.wakeUps?.addEventListener('retry', wake, listening);
          await live.done.finally(() => over.abort());
          signal.throwIfAborted();
          return live.partialUpload;
        },
      };
    },
    abort() {
      if (latest && !latest.handedOver) latest.controller.abort();
    },
  };
}
