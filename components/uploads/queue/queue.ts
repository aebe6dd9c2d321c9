import { setDeviceSetting } from '@/components/ui/browser-storage';
import { errorSentence } from '@/components/ui/error-sentence';
import { toast } from '@/components/ui/toast';
import type { HandedOver } from '@/components/uploads/transfer/live-upload';
import { newPace } from '@/components/uploads/transfer/pace';
import {
  giveUp,
  giveUpBegun,
  isStored,
  PART_BYTES,
  type Sent,
  uploadFile,
} from '@/components/uploads/transfer/upload-file';
import { forgetReservation, StorageError } from '@/components/uploads/transfer/upload-video';
import { ApiError } from '@/lib/contract/client';
import { type CalendarDate, fromIso, toIso } from '@/lib/entries/calendar';
import { change, isInFull, letGo, type QueuedUpload, show, uploadBoard } from './board';
import { claim } from './claim';
import { INTERRUPTED, UPLOADS_EVENT } from './signs';
import { forgetUpload, type KeptUpload, keepUpload, keptUploads, noteSent } from './upload-store';

/** What is to be sent. */
export interface Wish {
  /** The client_id: of a recording the id of its copy on this device. */
  id: string;
  file: File;
  title: string;
  date: CalendarDate;
  /** A recording, of which a copy lies on this device until the server has confirmed it. */
  recording?: {
    begun: HandedOver['begun'];
    /** Drops the copy on this device. */
    drop(): Promise<void>;
  };
}

interface Job {
  wish: Wish;
  owner: string;
  controller: AbortController;
  entryId: string | null;
  release(): void;
}

const STORAGE_FAILED = 'Failed uploading file. Ensure the file is actually a proper video.';
const UNREADABLE = 'This file has changed or gone since it was chosen. Please choose it again.';

const jobs = new Map<string, Job>();
let running = false;

function sentenceOf(error: unknown): string {
  if (error instanceof StorageError) return STORAGE_FAILED;
  if (error instanceof DOMException) return UNREADABLE;
  return errorSentence(error);
}

/** The session is gone for good: what is kept goes on after the login. */
function goToLogin(): void {
  letGo();
  window.location.assign(`/login?next=${encodeURIComponent('/upload')}`);
}

async function settle({ wish }: Job, { entryId, untold }: Sent, md5s: readonly string[]): Promise<void> {
  if (untold) toast.error(sentenceOf(untold));
  await forgetUpload(wish.id);
  if (untold || !wish.recording) return;
  const stored = await isStored(entryId, wish.file, md5s).catch(() => false);
  if (stored) await wish.recording.drop().catch(() => {});
}

async function run(job: Job): Promise<void> {
  const { wish, controller } = job;
  const { id, file } = wish;
  const pace = newPace();
  let noted = 0;
  const progressed = (sent: number) => {
    pace.note(sent, performance.now());
    change(id, { sent, secondsLeft: pace.secondsLeft(file.size) });
    if (sent - noted < PART_BYTES) return;
    noted = sent;
    void noteSent(id, sent);
  };
  const sending = {
    progressed,
    waiting: (offline: boolean) => change(id, offline ? { offline, secondsLeft: null } : { offline }),
    opened(entryId: string) {
      job.entryId = entryId;
    },
  };
  change(id, { phase: 'sending', problem: null });
  try {
    const begun = await wish.recording?.begun(progressed, controller.signal);
    const md5s = begun?.md5s ?? [];
    job.entryId = begun?.entryId ?? job.entryId;
    const sent = await uploadFile(id, wish, md5s, sending, controller.signal);
    await settle(job, sent, md5s);
    forget(job);
    change(id, { phase: 'done', offline: false, sent: file.size, secondsLeft: null });
    if (!isInFull()) toast.success(`“${wish.title}” is uploaded.`);
  } catch (error) {
    if (controller.signal.aborted) return;
    if (error instanceof ApiError && error.status === 401) return goToLogin();
    change(id, { phase: 'failed', offline: false, secondsLeft: null, problem: sentenceOf(error) });
    toast.error(sentenceOf(error));
  }
}

function forget(job: Job): void {
  job.release();
  jobs.delete(job.wish.id);
}

/** Works off the queue, one after the other. */
async function work(): Promise<void> {
  if (running) return;
  running = true;
  for (;;) {
    const next = uploadBoard.get().find(({ phase }) => phase === 'waiting');
    const job = next && jobs.get(next.id);
    if (!job) break;
    await run(job);
  }
  running = false;
}

/** @returns whether it is this page's to send; another tab may have taken it */
async function enter(owner: string, wish: Wish, sent: number): Promise<boolean> {
  const free = await claim(`daylight-upload-${wish.id}`, false);
  if (!free) return false;
  // The recorder lets go of its copy when its page is left; from then on it is held here.
  const copy = wish.recording ? claim(`daylight-recording-${wish.id}`, true) : null;
  const release = () => {
    free();
    void copy?.then((held) => held?.());
  };
  jobs.set(wish.id, { wish, owner, controller: new AbortController(), entryId: null, release });
  const { id, title, file } = wish;
  const entered: QueuedUpload = {
    ...{ id, title, name: file.name, phase: 'waiting', offline: false, sent, total: file.size },
    ...{ secondsLeft: null, problem: null },
  };
  const others = uploadBoard.get().filter((upload) => upload.id !== id && upload.phase !== 'done');
  show([...others, entered]);
  window.dispatchEvent(new Event(UPLOADS_EVENT));
  return true;
}

/** Of those that are being entered. */
const entering = new Set<string>();

/** Sends videos one after the other; a page that is left for another one of ours does not interrupt them. */
export async function addUploads(owner: string, wishes: readonly Wish[]): Promise<void> {
  for (const wish of wishes) {
    const { id, title, file } = wish;
    // Asked for twice at once, by a double click.
    if (entering.has(id)) continue;
    entering.add(id);
    const entered = await enter(owner, wish, 0).finally(() => entering.delete(id));
    if (!entered) {
      toast.error(`“${title}” is being uploaded in another tab.`);
      continue;
    }
    if (wish.recording || file.size <= PART_BYTES) continue;
    const facts = { name: file.name, size: file.size, lastModified: file.lastModified, sent: 0 };
    void keepUpload({ id, owner, title, date: toIso(wish.date), ...facts }, file);
  }
  await work();
}

/** Takes a failed upload up again. */
export function retryUpload(id: string): void {
  change(id, { phase: 'waiting', problem: null });
  void work();
}

/** Takes an upload out of the list without giving it up, as its form is still there to try again. */
export function takeBack(id: string): void {
  const job = jobs.get(id);
  if (job) forget(job);
  show(uploadBoard.get().filter((upload) => upload.id !== id));
  void forgetUpload(id);
}

/** Stops an upload and gives it up. */
export async function cancelUpload(id: string): Promise<void> {
  const job = jobs.get(id);
  const upload = uploadBoard.get().find((one) => one.id === id);
  job?.controller.abort(new DOMException('', 'AbortError'));
  takeBack(id);
  forgetReservation();
  if (job?.entryId) await giveUp(job.entryId);
  else if (upload && upload.sent > 0)
    await giveUpBegun(id, job?.wish.file ?? { name: upload.name, type: '' });
}

/** Stops and forgets an account's uploads, as it logs out. Copies of recordings stay on this device. */
export async function discardUploads(owner: string): Promise<void> {
  const shown = uploadBoard.get().filter(({ phase }) => phase !== 'done');
  await Promise.all(shown.map(({ id }) => cancelUpload(id)));
  for (const { upload } of await keptUploads(owner)) {
    await forgetUpload(upload.id);
    await giveUpBegun(upload.id, { name: upload.name, type: '' });
  }
}

/** Takes those that are done out of the list. */
export function clearDone(): void {
  show(uploadBoard.get().filter(({ phase }) => phase !== 'done'));
}

/** What a reload has interrupted, and whose file has to be chosen again. */
const lost = new Map<string, KeptUpload>();

/** Takes up what a reload or a login has interrupted. */
export async function resumeUploads(owner: string): Promise<void> {
  const kept = await keptUploads(owner);
  if (kept.length === 0) setDeviceSetting(INTERRUPTED, null);
  for (const { upload, file } of kept) {
    const { id, title, date, name, sent, size } = upload;
    const isShown = () => uploadBoard.get().some((one) => one.id === id);
    if (isShown()) continue;
    const day = fromIso(date);
    if (file && day) {
      await enter(owner, { id, file, title, date: day }, sent);
    } else {
      const free = await claim(`daylight-upload-${id}`, false);
      // Another tab sends it.
      if (!free) continue;
      free();
      if (isShown()) continue;
      lost.set(id, upload);
      const entered: QueuedUpload = {
        ...{ id, title, name, phase: 'lost', offline: false, sent, total: size },
        ...{ secondsLeft: null, problem: null },
      };
      show([...uploadBoard.get(), entered]);
    }
  }
  await work();
}

/** Goes on with the file that was chosen again. @returns whether it is the same one, as far as its outside tells */
export async function foundAgain(id: string, file: File): Promise<boolean> {
  const upload = lost.get(id);
  const day = upload && fromIso(upload.date);
  if (!upload || !day || file.name !== upload.name || file.size !== upload.size) return false;
  lost.delete(id);
  await enter(upload.owner, { id, file, title: upload.title, date: day }, upload.sent);
  void work();
  return true;
}
