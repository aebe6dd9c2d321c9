import { createTransferRate } from '@/components/capture/uploads/transfer/transfer-rate';
import type { UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { rememberUploadSpeed } from '@/components/capture/uploads/transfer/upload-speed';
import { importErrorMessage } from './import-error';
import type { ImportItem, ImportSource } from './import-source';
import { type FailedEntry, getImportState, patchImport } from './import-state';

interface RunEvents {
  /** Dispatches `retry` when the person doesn't want to wait. */
  wakeUps: EventTarget;
  /** Called with the entry whose video is being sent, and with null once that's over. */
  onOpened(entryId: string | null): void;
}

/**
 * Shows how far an import is. Bytes of items that failed, or that were there already, count as sent, or it would never be
 * complete. They say nothing about the speed.
 */
function trackProgress(wanted: readonly ImportItem[], { wakeUps, onOpened }: RunEvents) {
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const rate = createTransferRate();
  let [before, shown, skipped] = [0, 0, 0];
  const show = (sent: number) => {
    shown = sent;
    rate.record(sent - skipped, performance.now());
    patchImport({ sent, secondsLeft: rate.secondsLeft(total - skipped) });
  };
  patchImport({ total, sent: 0, finished: 0, secondsLeft: null });
  const events: UploadEvents = {
    wakeUps,
    onOpened,
    onProgress: (sent) => show(before + sent),
    onProblem: (waiting) => patchImport(waiting ? { waiting, secondsLeft: null } : { waiting }),
  };
  const finish = ({ bytes }: ImportItem) => {
    onOpened(null);
    before += bytes;
    skipped += before - shown;
    show(before);
    rememberUploadSpeed(rate.bytesPerSecond());
    patchImport({ finished: getImportState().finished + 1, waiting: null });
  };
  return { events, finish };
}

/**
 * Imports what belongs to no item, and then items, one after the other. One that fails doesn't keep the others out.
 * @throws StorageError, ApiError, DOMException if the others would fail, too; or the signal's reason if it's aborted
 */
export async function runImport(
  source: ImportSource,
  importId: string,
  wanted: readonly ImportItem[],
  moreEvents: RunEvents,
  signal: AbortSignal,
): Promise<void> {
  const { events, finish } = trackProgress(wanted, moreEvents);
  await source.sendShared(importId, events, signal);
  const failed: FailedEntry[] = [];
  for (const item of wanted) {
    try {
      await item.send(importId, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (source.stopsAll(error)) throw error;
      const { id, title, date } = item;
      failed.push({ id, title, date, reason: importErrorMessage(error) });
      patchImport({ failed: [...failed] });
    }
    finish(item);
  }
}
