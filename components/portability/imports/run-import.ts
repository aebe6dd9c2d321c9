import { createTransferRate, rememberUploadSpeed } from '@/components/capture/uploads/transfer/transfer-rate';
import type { UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { importErrorMessage } from './import-error';
import type { ImportEvent } from './import-reducer';
import type { ImportItem, ImportSource } from './import-source';
import { dispatchImport } from './import-state';

const report = (values: Extract<ImportEvent, { type: 'progress' }>['values']) =>
  dispatchImport({ type: 'progress', values });

/**
 * Shows how far an import is. Bytes of items that failed, or that were there already, count as sent, or it would never be
 * complete. They say nothing about the speed.
 */
function trackProgress(wanted: readonly ImportItem[], wakeUps: EventTarget) {
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const rate = createTransferRate();
  let [before, shown, skipped] = [0, 0, 0];
  const show = (sent: number) => {
    shown = sent;
    rate.record(sent - skipped, performance.now());
    report({ sent, secondsLeft: rate.secondsLeft(total - skipped) });
  };
  report({ total, sent: 0, secondsLeft: null });
  const events: UploadEvents = {
    wakeUps,
    onOpened: (openEntry) => report({ openEntry }),
    onProgress: (sent) => show(before + sent),
    onProblem: (waiting) => report(waiting ? { waiting, secondsLeft: null } : { waiting }),
  };
  const finish = ({ bytes }: ImportItem) => {
    before += bytes;
    skipped += before - shown;
    show(before);
    rememberUploadSpeed(rate.bytesPerSecond());
    dispatchImport({ type: 'entry-finished' });
  };
  return { events, finish };
}

/** Sends an item, and once more if another tab, or another browser, has completed or discarded what this one works on. */
async function sendItem(item: ImportItem, ...args: Parameters<ImportItem['send']>): Promise<void> {
  try {
    await item.send(...args);
  } catch (error) {
    const isOvertaken = error instanceof ApiError && ['not_found', 'conflict'].includes(error.code);
    if (!isOvertaken) throw error;
    await item.send(...args);
  }
}

/**
 * Imports what belongs to no item, and then items, one after the other. One that fails doesn't keep the others out.
 * @param wakeUps dispatches `retry` when the person doesn't want to wait
 * @throws StorageError, ApiError, DOMException if the others would fail, too; or the signal's reason if it's aborted
 */
export async function runImport(
  source: ImportSource,
  importId: string,
  wanted: readonly ImportItem[],
  wakeUps: EventTarget,
  signal: AbortSignal,
): Promise<void> {
  const { events, finish } = trackProgress(wanted, wakeUps);
  await source.sendShared(importId, events, signal);
  for (const item of wanted) {
    try {
      await sendItem(item, importId, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (source.stopsAll(error)) throw error;
      const { id, title, date } = item;
      dispatchImport({ type: 'entry-failed', entry: { id, title, date, reason: importErrorMessage(error) } });
    }
    finish(item);
  }
}
