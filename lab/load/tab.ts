/**
 * What a person's tab does, with the browser's own code. It's bundled, so that each tab has modules of its own: they
 * remember a session's renewal and whether storage has let them in.
 */
import { declareUpload, PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import { sendParts } from '@/components/capture/uploads/transfer/send-parts';
import { createFileSource, uploadFile } from '@/components/capture/uploads/transfer/upload-file';
import { call } from '@/lib/api/shared/client';

const DATE = { day: 1, month: 3, year: 2026 };
const ISO_DATE = '2026-03-01';

/** The name of the error with which an upload ends whose tab is closed. */
export const TAB_CLOSED = 'TabClosed';

/** Something to upload. */
interface Video {
  /** Made up for each upload, so that sending it again goes on with it. */
  clientId: string;
  title: string;
  file: File;
}

/**
 * Sends a video as the upload queue does.
 * @param onOpened called with the entry's id
 * @param closeAfter the bytes after which the tab is closed; never by default
 * @throws StorageError; ApiError; or an error of the name {@link TAB_CLOSED}
 */
export async function sendVideo(
  { clientId, title, file }: Video,
  onOpened: (entryId: string) => void,
  closeAfter = Number.POSITIVE_INFINITY,
): Promise<void> {
  const closing = new AbortController();
  const onProgress = (sent: number) => {
    if (sent < closeAfter || sent === file.size) return;
    closing.abort(Object.assign(new Error('The tab was closed.'), { name: TAB_CLOSED }));
  };
  const { completionError } = await uploadFile(
    { id: clientId, title, date: DATE, file },
    // The person goes on meanwhile, so it waits for the network.
    { sent: Promise.resolve([]), failFast: false },
    { onOpened, onProgress, onProblem: () => undefined },
    closing.signal,
  );
  if (completionError) throw completionError;
}

/** Sends all parts of a video and doesn't confirm them, as when the tab is closed right then. @returns the entry's id */
export async function sendUnconfirmed(
  { clientId, title, file }: Video,
  signal: AbortSignal,
): Promise<string> {
  const query = {
    ...declareUpload(clientId, file),
    ...{ title, journal_date: ISO_DATE, size: file.size },
  };
  const { entryId } = (await call('GET /presigned_url', { query })).metadata;
  const events = { onProgress: () => undefined, onProblem: () => undefined };
  await sendParts(entryId, createFileSource(file, PART_BYTES), [], events, signal);
  return entryId;
}

export const getEntry = (id: string) => call('GET /entry/:id', { params: { id } });
export const renameEntry = (id: string, title: string) =>
  call('POST /entry/:id', { params: { id }, body: { title } });
export const removeEntry = (id: string) => call('POST /entry/:id/remove', { params: { id } });
export const purgeEntry = (id: string) => call('POST /trash/:id/purge', { params: { id } });
/** Adds a note. @param clientId with which it's added once, however often it's sent */
export const addNote = (id: string, text: string, clientId: string) =>
  call('POST /entry/:id/notes', { params: { id }, body: { text, client_id: clientId } });
export const searchEntries = (query: string) => call('GET /search', { query: { query } });
export const getPlan = () => call('GET /plan_details');
