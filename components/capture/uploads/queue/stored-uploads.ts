import { readWholeDraft } from '@/components/capture/recorder/captions/words-store';
import { readLocalCopy } from '@/components/capture/recorder/recording-store';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import type { VideoUpload } from './send-upload';
import { deleteStoredUpload, listAllUploads, readStoredFile, type StoredUpload } from './upload-store';

/** The Web Lock that's held while an upload is sent. */
export const lockName = (id: string): string => `daylight-upload-${id}`;

/** Returns what's needed to continue an upload that was stored; null if its file has to be chosen again. */
async function restore(upload: StoredUpload): Promise<VideoUpload | null> {
  const { id, title, tagIds } = upload;
  const date = fromIso(upload.date);
  if (!date) return null;
  const about = { id, title, date, ...(tagIds && { tagIds }) };
  if (!upload.isRecording) {
    const file = await readStoredFile(id);
    return file && { ...about, file };
  }
  const copy = await readLocalCopy(id);
  return (
    copy && {
      ...about,
      file: copy.file,
      inBackground: true,
      recording: { live: null, hasCopy: true, draft: readWholeDraft(id, copy.length) },
    }
  );
}

/**
 * Returns the unfinished uploads of an account, or of all, each with what's needed to continue it.
 * @throws DOMException if this browser's storage can't be read
 */
export async function listStoredUploads(
  owner?: string,
): Promise<{ upload: StoredUpload; video: VideoUpload | null }[]> {
  const uploads = (await listAllUploads()).filter((upload) => owner === undefined || upload.owner === owner);
  const restored: { upload: StoredUpload; video: VideoUpload | null }[] = [];
  for (const upload of uploads) {
    const video = await restore(upload);
    // Without its recording, there's nothing that could be chosen again.
    if (upload.isRecording && !video) await deleteStoredUpload(upload.id);
    else restored.push({ upload, video });
  }
  return restored;
}
