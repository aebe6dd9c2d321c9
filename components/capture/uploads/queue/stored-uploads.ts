import { deleteLocalCopy, readLocalCopy } from '@/components/capture/recorder/recording-store';
import { readWholeDraft } from '@/components/capture/recorder/words/words-store';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import type { UploadRequest } from './send-upload';
import { deleteStoredUpload, listAllUploads, readStoredFile, type StoredUpload } from './upload-store';

/** The Web Lock that's held while an upload is sent. */
export const lockName = (id: string): string => `daylight-upload-${id}`;

/** What's needed to continue an upload that was stored; null if its file has to be chosen again. */
type StoredRequest = UploadRequest | null;

async function restore(upload: StoredUpload): Promise<StoredRequest> {
  const { id, title, tagIds } = upload;
  const date = fromIso(upload.date);
  if (!date) return null;
  const video = { id, title, date, ...(tagIds && { tagIds }) };
  if (!upload.isRecording) {
    const file = await readStoredFile(id);
    return file && { ...video, file };
  }
  const copy = await readLocalCopy(id);
  return (
    copy && {
      ...video,
      file: copy.file,
      inBackground: true,
      recording: {
        waitUntilSent: async () => ({ entryId: null, md5s: [] }),
        deleteCopy: () => deleteLocalCopy(id),
        hasCopy: true,
        draft: readWholeDraft(id, copy.length),
      },
    }
  );
}

/**
 * Returns the unfinished uploads of an account, or of all, each with what's needed to continue it.
 * @throws DOMException if this browser's storage can't be read
 */
export async function listStoredUploads(
  owner?: string,
): Promise<{ upload: StoredUpload; request: StoredRequest }[]> {
  const uploads = (await listAllUploads()).filter((upload) => owner === undefined || upload.owner === owner);
  const restored: { upload: StoredUpload; request: StoredRequest }[] = [];
  for (const upload of uploads) {
    const request = await restore(upload);
    // Without its recording, there's nothing that could be chosen again.
    if (upload.isRecording && !request) await deleteStoredUpload(upload.id);
    else restored.push({ upload, request });
  }
  return restored;
}
