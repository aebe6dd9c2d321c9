import { callInTime } from '@/components/uploads/transfer/call-in-time';
import { retry } from '@/components/uploads/transfer/retry';
import { createTransferRate } from '@/components/uploads/transfer/transfer-rate';
import type { UploadEvents } from '@/components/uploads/transfer/upload-file';
import { call } from '@/lib/contract/client';
import { type ImportableEntry, journalRequests } from '@/lib/imports/requests';
import { importJournal } from '@/lib/imports/routes';
import { importEntry } from './import-entry';
import { importErrorMessage, isFinal, stopsAll } from './import-error';
import { type FailedEntry, getImportState, patchImport } from './import-state';
import type { Archive } from './read-archive';

interface RunEvents {
  /** Dispatches `retry` when the person doesn't want to wait. */
  wakeUps: EventTarget;
  /** Called with the entry whose video is being sent, and with null once that's over. */
  onOpened(entryId: string | null): void;
}

/** Shows how far an import is. Bytes of entries that failed count as sent, or it would never be complete. */
function trackProgress(wanted: readonly ImportableEntry[], { wakeUps, onOpened }: RunEvents) {
  const total = wanted.reduce((sum, { video }) => sum + video.bytes, 0);
  const rate = createTransferRate();
  let before = 0;
  const show = (sent: number) => {
    rate.record(sent, performance.now());
    patchImport({ sent, secondsLeft: rate.secondsLeft(total) });
  };
  patchImport({ total, sent: 0, finished: 0, secondsLeft: null });
  const events: UploadEvents = {
    wakeUps,
    onOpened,
    onProgress: (sent) => show(before + sent),
    onProblem: (waiting) => patchImport(waiting ? { waiting, secondsLeft: null } : { waiting }),
  };
  const finish = ({ video }: ImportableEntry) => {
    onOpened(null);
    before += video.bytes;
    show(before);
    patchImport({ finished: getImportState().finished + 1, waiting: null });
  };
  return { events, finish };
}

const describeFailure = ({ entry }: ImportableEntry, reason: string): FailedEntry => ({
  id: entry.id,
  title: entry.title,
  date: entry.date,
  reason,
});

/** Adds what doesn't belong to one entry. Some of it may not be possible, which doesn't keep the entries out. */
async function sendJournal({ journal }: Archive, events: UploadEvents, signal: AbortSignal): Promise<void> {
  for (const body of journalRequests(journal)) {
    const send = () =>
      callInTime((inTime) => call(importJournal, { body, signal: inTime, onExpired: 'throw' }), signal);
    try {
      await retry(send, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isFinal(error)) throw error;
      patchImport({ journalProblem: importErrorMessage(error) });
    }
  }
}

/**
 * Imports an archive's tags and settings, and then entries, one after the other. One that fails doesn't keep the others
 * out.
 * @throws StorageError, ApiError, DOMException if the others would fail, too; or the signal's reason if it's aborted
 */
export async function runImport(
  archive: Archive,
  wanted: readonly ImportableEntry[],
  moreEvents: RunEvents,
  signal: AbortSignal,
): Promise<void> {
  const { events, finish } = trackProgress(wanted, moreEvents);
  await sendJournal(archive, events, signal);
  const failed: FailedEntry[] = [];
  for (const entry of wanted) {
    try {
      await importEntry(archive, entry, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (stopsAll(error)) throw error;
      failed.push(describeFailure(entry, importErrorMessage(error)));
      patchImport({ failed: [...failed] });
    }
    finish(entry);
  }
}
