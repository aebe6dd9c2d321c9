import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { UploadProblem } from '@/components/device/transfer/upload-problem';
import { postNote as notePosted } from '@/lib/journal/notes/contract';
import { postNote } from '@/lib/journal/notes/service';
import { completeUpload } from '@/lib/video/uploads/complete';
import * as uploads from '@/lib/video/uploads/contract';
import { signParts, uploadState } from '@/lib/video/uploads/multipart';
import { openUpload, reserveUpload } from '@/lib/video/uploads/service';
import { type Operations, stubBrowser } from './browser';
import { requestClass } from './browser-parts';

/** The operations that an upload calls, as their routes run them. */
const OPERATIONS: Operations = [
  [uploads.presignedUrl, (userId, _, query) => reserveUpload(userId, query)],
  [uploads.openUpload, (userId, _, body) => openUpload(userId, body)],
  [uploads.signParts, signParts],
  [uploads.getUpload, (userId, id) => uploadState(userId, id)],
  [uploads.completeUpload, completeUpload],
  [notePosted, postNote],
];

/** Sends a request to storage. One that throws is one that the browser can't make, or whose answer it doesn't get. */
type Send = (url: string, request: RequestInit) => Promise<Response>;

/** Opens a browser that uploads. Undo with `vi.unstubAllGlobals`. */
export function openUploadingBrowser(userId: string) {
  const browser = stubBrowser(userId, OPERATIONS);
  const deliver = globalThis.fetch as Send;
  /** Its calls so far, in order: to the API without ids and queries, and to storage. */
  const calls: string[] = [];
  const problems: UploadProblem[] = [];
  const wakeUps = new EventTarget();
  const given = {
    onStorage: (send: Send, url: string, request: RequestInit) => send(url, request),
    /** Runs before a call of the API that's about notes. A response that it returns is the call's. */
    onNotes: (_call: string): unknown => null,
  };
  browser.onCall = (call) => {
    const [method = '', path = ''] = call.split(/[ ?]/);
    calls.push(`${method} ${path.replace(/^\/api\/v1\/(entry\/[^/]+\/)?/, '')}`);
    return path.endsWith('/notes') ? given.onNotes(path) : null;
  };
  const sendFile: Send = (url, request) => {
    const number = new URL(url).searchParams.get('partNumber');
    calls.push(`${request.method} ${number ? `part ${number}` : 'file'}`);
    return given.onStorage(deliver, url, request);
  };
  vi.stubGlobal('XMLHttpRequest', requestClass(sendFile as typeof fetch));

  const events = {
    wakeUps,
    onOpened: (_entryId: string) => {},
    onProgress: () => {},
    onProblem(problem: UploadProblem | null) {
      if (!problem) return;
      problems.push(problem);
      setImmediate(() => wakeUps.dispatchEvent(new Event('retry')));
    },
  };

  /** Uploads a video as a new tab does, and waits no longer than it has to. */
  async function upload(
    file: File,
    { id = randomUUID() as string, failFast = true, sent = Promise.resolve<string[]>([]) } = {},
  ) {
    vi.resetModules();
    const { uploadFile } = await import('@/components/capture/uploads/transfer/upload-file');
    const about = { id, file, title: 'A day', date: { day: 15, month: 1, year: 2026 } };
    return uploadFile(about, { sent, failFast }, events, new AbortController().signal);
  }

  /** Uploads what's stored on the device, with all that belongs to it. @param file what Node's database can't store */
  async function sendStored(id: string, file: File) {
    const { listStoredUploads, sendUpload } = await import('@/components/capture/uploads/queue/video-upload');
    const video = (await listStoredUploads()).find(({ upload: stored }) => stored.id === id)?.video;
    if (!video) throw new Error('This upload isn’t stored.');
    const entryIds: string[] = [];
    const opened = { ...events, onOpened: (entryId: string) => void entryIds.push(entryId) };
    const outcome = await sendUpload({ ...video, file }, () => false, opened, new AbortController().signal);
    return { entryId: entryIds[0] ?? '', ...outcome };
  }
  return Object.assign(given, { browser, calls, problems, upload, sendStored });
}
