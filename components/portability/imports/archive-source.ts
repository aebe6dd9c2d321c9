import type { UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { callInTime, retry } from '@/components/device/transfer/retry';
import { call } from '@/lib/api/shared/client';
import { checkEntries, journalRequests } from '@/lib/portability/imports/archive/shared/requests';
import { importEntry } from './import-entry';
import { importErrorMessage, isFinal, stopsEverything } from './import-error';
import type { ImportSource } from './import-source';
import { dispatchImport } from './import-state';
import { type Archive, findProblem } from './read-archive';

/** Adds an archive's tags and settings. Some of them may not be possible, which doesn't keep the entries out. */
async function sendJournal(
  { journal }: Archive,
  importId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  for (const body of journalRequests(journal, importId)) {
    const send = () =>
      callInTime(
        (inTime) => call('POST /imports/journal', { body, signal: inTime, onExpired: 'throw' }),
        signal,
      );
    try {
      await retry(send, events, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isFinal(error)) throw error;
      dispatchImport({ type: 'progress', values: { journalProblem: importErrorMessage(error) } });
    }
  }
}

/** Returns what imports an archive that Daylight made. */
export function createArchiveSource(archive: Archive): ImportSource {
  return {
    kind: 'daylight',
    name: archive.file.name,
    tags: archive.journal.tags.length,
    items: archive.entries.map((importable) => ({
      id: importable.entry.id,
      title: importable.entry.title,
      date: importable.entry.date,
      bytes: importable.video.bytes,
      seconds: importable.entry.duration,
      problem: findProblem(archive, importable),
      send: (importId, events, signal) => importEntry(archive, importable, importId, events, signal),
    })),
    findStates: () => checkEntries(archive.entries, (body) => call('POST /imports/check', { body })),
    sendShared: (importId, events, signal) => sendJournal(archive, importId, events, signal),
    // All entries are in the same file.
    stopsAll: (error) => stopsEverything(error) || error instanceof DOMException,
  };
}
