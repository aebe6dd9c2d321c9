import type { RecordingSink } from '@/components/recorder/recording-sink';
import { untilConnected } from '@/components/uploads/queue/connection';
import { ApiError, api } from '@/lib/contract/client';
import { type GrowingSource, growingSource } from './growing-source';
import { sendParts } from './send-parts';
import { giveUp, opening, PART_BYTES } from './upload-file';

/**
 * How a recording stands with the account while it is made: `short` is one that fits one part and is sent with the
 * rest, `full` one that the plan has no room for, `off` one that is kept on this device only.
 */
export type LiveState = 'none' | 'short' | 'saving' | 'waiting' | 'full' | 'off';

/** What of a recording has been sent while it was made. */
export interface Begun {
  entryId: string | null;
  /** The checksums of its parts, in order. */
  md5s: string[];
}

/** A recording as the queue takes it over. */
export interface HandedOver {
  /** The client_id that it was begun with. */
  id: string;
  /** Waits until what was recorded is sent. */
  begun(progressed: (sent: number) => void, signal: AbortSignal): Promise<Begun>;
}

interface Live {
  recordingId: string | null;
  id: string;
  source: GrowingSource;
  begun: Begun;
  controller: AbortController;
  handedOver: boolean;
  sent: number;
  progressed: (sent: number) => void;
  /** Ends when all is sent, or when nothing more can be. */
  done: Promise<void>;
}

/** Sends a recording to the account while it is made. Of its recordings the latest one counts. */
export interface LiveUpload extends RecordingSink {
  subscribe(listener: () => void): () => void;
  state(): LiveState;
  /** The queue takes a recording over, whether or not anything of it was sent. */
  handOver(recordingId: string | null): HandedOver;
  /** The page is left: what is there stays, and is gone on with when the recording is recovered. */
  leave(): void;
}

export function createLiveUpload(): LiveUpload {
  const listeners = new Set<() => void>();
  let state: LiveState = 'none';
  let latest: Live | null = null;

  function tell(live: Live, next: LiveState): void {
    if (live !== latest || next === state) return;
    state = next;
    for (const listener of listeners) listener();
  }

  async function run(live: Live, mimeType: string): Promise<void> {
    const { source, begun, controller } = live;
    const { signal } = controller;
    // What fits one part goes in one piece: it begins when the first part is full and there is more.
    await source.take(1);
    if (source.size() <= PART_BYTES) await source.take(2);
    if (source.size() <= PART_BYTES || signal.aborted) return;
    const waiting = (waits: boolean) => tell(live, waits ? 'waiting' : 'saving');
    const name = mimeType.startsWith('video/mp4') ? 'browser_uploaded.mp4' : 'browser_uploaded.webm';
    const body = opening(live.id, { name, type: mimeType });
    const open = () => api<{ entryId: string }>('POST', '/uploads', { body, signal, stay: true });
    begun.entryId = (await untilConnected(open, waiting, signal)).entryId;
    const progressed = (sent: number) => {
      live.sent = sent;
      live.progressed(sent);
    };
    await sendParts(begun.entryId, source, begun.md5s, { progressed, waiting }, signal);
  }

  function giveUpLive({ controller, begun }: Live): void {
    controller.abort();
    if (begun.entryId) void giveUp(begun.entryId);
  }

  return {
    begin(recordingId, mimeType) {
      if (latest && !latest.handedOver) giveUpLive(latest);
      const live: Live = {
        recordingId,
        id: recordingId ?? crypto.randomUUID(),
        source: growingSource(PART_BYTES),
        begun: { entryId: null, md5s: [] },
        controller: new AbortController(),
        handedOver: false,
        sent: 0,
        progressed: () => {},
        done: Promise.resolve(),
      };
      latest = live;
      tell(live, 'short');
      live.done = run(live, mimeType).catch((error: unknown) => {
        const full = error instanceof ApiError && error.code === 'quota_reached';
        tell(live, full ? 'full' : 'off');
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
        async begun(progressed, signal) {
          if (!live) return { entryId: null, md5s: [] };
          live.progressed = progressed;
          if (live.sent > 0) progressed(live.sent);
          const stop = () => giveUpLive(live);
          signal.addEventListener('abort', stop);
          await live.done.finally(() => signal.removeEventListener('abort', stop));
          signal.throwIfAborted();
          return live.begun;
        },
      };
    },
    leave() {
      if (latest && !latest.handedOver) latest.controller.abort();
    },
  };
}
