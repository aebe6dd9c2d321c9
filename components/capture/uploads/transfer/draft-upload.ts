import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { callInTime } from './call-in-time';

/** How long the last words may take after the video is uploaded, in milliseconds. */
const MAX_WAIT = 20_000;

/** Sends what was heard in a recording along with its video. It never fails an upload. */
export interface DraftUpload {
  /** Starts to send, once there's an entry. */
  start(entryId: string): void;
  /** Waits for it, and tries once more if it failed. */
  finish(entryId: string): Promise<void>;
}

/** @param draft the words once they're complete; null if there are none */
export function createDraftUpload(
  draft: Promise<DraftTranscript | null> | null,
  signal: AbortSignal,
): DraftUpload {
  let sending: Promise<boolean> | null = null;

  /** Returns whether there's nothing left to send. */
  async function send(entryId: string, words: Promise<DraftTranscript | null>): Promise<boolean> {
    const heard = await words;
    if (!heard) return true;
    const body = {
      transcription: { words: heard.words },
      draft: true,
      logProbability: heard.logProbability,
    };
    const options = { params: { id: entryId }, body, onExpired: 'throw' } as const;
    const sent = callInTime(
      (inTime) => call('POST /entry/:id/transcription', { ...options, signal: inTime }),
      signal,
    );
    // The server's own transcript comes in any case.
    return sent.then(
      () => true,
      (error: unknown) => {
        logRejected(error);
        return false;
      },
    );
  }

  return {
    start(entryId) {
      if (draft) sending ??= send(entryId, draft);
    },
    async finish(entryId) {
      if (!draft || !sending || signal.aborted) return;
      const isSent = await withTimeout(sending, MAX_WAIT, () => null);
      if (isSent === false) await send(entryId, draft);
    },
  };
}
