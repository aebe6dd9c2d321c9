import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashBlob } from '@/components/capture/uploads/transfer/hash-blob';
import { PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import type { PartSource } from '@/components/capture/uploads/transfer/send-parts';
import { createFileSource, type UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { callInTime, retry } from '@/components/device/transfer/retry';
import { call } from '@/lib/api/shared/client';
import {
  entryRequest,
  type ImportableEntry,
  revisionRequests,
} from '@/lib/portability/imports/archive/shared/requests';
import { ArchiveProblem, PROBLEMS } from './archive-problem';
import { type Archive, readTranscript } from './read-archive';
import { sendUnlessOvertaken, sendVideo } from './send-video';
import { sliceMember } from './zip-index';

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

async function importOnce(
  archive: Archive,
  importable: ImportableEntry,
  importId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  const { video } = importable;
  const inTime = <T>(work: (signal: AbortSignal) => Promise<T>) =>
    retry(() => callInTime(work, signal), events, signal);
  const transcript = await readTranscript(archive, importable);
  const bytes = await sliceMember(archive.file, archive.index, video);
  const body = entryRequest(archive.journal, importable, transcript, importId);
  const { entryId, exists } = await inTime((over) =>
    call('POST /imports/entries', { body, signal: over, onExpired: 'throw' }),
  );
  if (exists) return;
  events.onOpened(entryId);
  const params = { id: entryId };
  const source = createCheckedSource(bytes, video.sha256);
  await sendVideo(entryId, source, events, signal, async () => {
    for (const revision of transcript ? revisionRequests(importable, transcript) : []) {
      await inTime((over) =>
        call('POST /imports/entries/:id/revisions', {
          params,
          body: revision,
          signal: over,
          onExpired: 'throw',
        }),
      );
    }
  });
}

/**
 * Imports an entry: opens it, sends its words, and then its video. Goes on where an earlier attempt has stopped, and does
 * nothing if the journal has it.
 * @param importId the import that it belongs to
 * @throws ArchiveProblem; StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason
 * if it's aborted
 */
export async function importEntry(
  archive: Archive,
  importable: ImportableEntry,
  importId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  await sendUnlessOvertaken(() => importOnce(archive, importable, importId, events, signal));
}
