import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashBlob } from '@/components/capture/uploads/transfer/hash-blob';
import { PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import type { PartSource } from '@/components/capture/uploads/transfer/send-parts';
import { createFileSource } from '@/components/capture/uploads/transfer/upload-file';
import { call } from '@/lib/api/shared/client';
import {
  checkEntries,
  entryRequest,
  type ImportableEntry,
  journalRequests,
  revisionRequests,
} from '@/lib/portability/imports/archive/shared/requests';
import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { importErrorMessage, isFinal, stopsEverything } from './import-error';
import type { ImportItem, ImportSource } from './import-source';
import { dispatchImport } from './import-state';
import { type Archive, findProblem, readTranscript } from './read-archive';
import { sliceMember } from './read-zip';
import { callWithRetries, sendVideo } from './send-video';

/** Adds an archive's tags and settings. Some of them may not be possible, which doesn't keep the entries out. */
const sendJournal =
  ({ journal }: Archive): ImportSource['sendShared'] =>
  async (importId, events, signal) => {
    for (const body of journalRequests(journal, importId)) {
      try {
        await callWithRetries(
          (options) => call('POST /imports/journal', { body, ...options }),
          events,
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        if (!isFinal(error)) throw error;
        dispatchImport({ type: 'progress', values: { journalProblem: importErrorMessage(error) } });
      }
    }
  };

/**
 * Creates a source of a video's parts that compares its checksum once all parts were read.
 * @throws ArchiveProblem instead of ending, if the checksum is wrong
 */
function createCheckedSource(video: Blob, checksum: string): PartSource {
  const parts = createFileSource(video, PART_BYTES);
  const hash = sha256.create();
  let hashed = 0;
  let digest: string | undefined;
  return {
    async getPart(number) {
      const part = await parts.getPart(number);
      if (!part) {
        digest ??= bytesToHex(hash.digest());
        if (digest !== checksum) throw new ArchiveProblem(PROBLEMS.videoDamaged);
        return null;
      }
      // A retry starts over at the first part.
      if (number !== hashed + 1) return part;
      await hashBlob(hash, part);
      hashed = number;
      return part;
    },
  };
}

/** Imports an entry: opens it, sends its words, and then its video. See `ImportItem.send`. */
const sendEntry =
  (archive: Archive, importable: ImportableEntry): ImportItem['send'] =>
  async (importId, events, signal) => {
    const { video } = importable;
    const transcript = await readTranscript(archive, importable);
    const bytes = await sliceMember(archive.file, archive.index, video);
    const body = entryRequest(archive.journal, importable, transcript, importId);
    const { entryId, exists } = await callWithRetries(
      (options) => call('POST /imports/entries', { body, ...options }),
      events,
      signal,
    );
    if (exists) return;
    events.onOpened(entryId);
    const params = { id: entryId };
    const source = createCheckedSource(bytes, video.sha256);
    await sendVideo(entryId, source, events, signal, async () => {
      for (const revision of transcript ? revisionRequests(importable, transcript) : []) {
        await callWithRetries(
          (options) => call('POST /imports/entries/:id/revisions', { params, body: revision, ...options }),
          events,
          signal,
        );
      }
    });
  };

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
      send: sendEntry(archive, importable),
    })),
    findStates: () => checkEntries(archive.entries, (body) => call('POST /imports/check', { body })),
    sendShared: sendJournal(archive),
    // All entries are in the same file.
    stopsAll: (error) => stopsEverything(error) || error instanceof DOMException,
  };
}
