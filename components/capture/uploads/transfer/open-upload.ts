import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';

/** The bytes of a part, except for the last. Must equal the server's PART_BYTES. */
export const PART_BYTES = 8_388_608;

/** How long chosen videos are, where their headers say, so that the server can refuse one that's too long before it's sent. */
export const knownSeconds = new WeakMap<File, number>();

/** Returns a file's type as it's declared. It may be empty if the upload was opened earlier: the server keeps the first one. */
export const contentTypeOf = ({ type }: { type: string }): string => (type || 'video/mp4').toLowerCase();

/** Returns what opens an upload, or finds it again. */
export function declareUpload(id: string, file: { name: string; type: string }) {
  return { client_id: id, file_name: file.name, content_type: contentTypeOf(file) };
}

/** Aborts an upload, which frees its space right away. If this fails, the server does it a day later. */
export async function abortRemoteUpload(entryId: string): Promise<void> {
  await call('DELETE /entry/:id/upload', {
    params: { id: entryId },
    onExpired: 'throw',
    keepalive: true,
  }).catch(logRejected);
}

/** Aborts an upload that another page started, of which only the client_id is known. */
export async function abortRemoteUploadByClientId(
  id: string,
  file: { name: string; type: string },
): Promise<void> {
  const body = declareUpload(id, file);
  const found = await call('POST /uploads', { body, onExpired: 'throw' }).catch(logRejected);
  if (found) await abortRemoteUpload(found.entryId);
}
