import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Entry } from '@/lib/journal/entries/contract';
import { type Edits, editEntry, insist, type Person } from './people';
import type { PlannedUpload, UploadKind } from './schedule';
import { TAB_CLOSED } from './tab';
import { type Clip, UPLOAD_KINDS } from './upload-kinds';

/** What became of an upload. */
export interface Outcome extends PlannedUpload {
  entryId: string | null;
  /** What the person's client threw that it shouldn't have. */
  problem: string | null;
  /** From when the person pressed the button until the site confirmed the upload, in milliseconds. */
  sentMs: number | null;
  /** From then until the video could be played; null if it never could. */
  playableMs: number | null;
  /** What the person changed on its entry afterwards. */
  edits: Edits | null;
}

/** Every how many uploads its person edits the entry. */
const EDIT_EVERY = 3;

/** How often a person's page asks how far the entry is, in milliseconds. */
const MIN_POLL_MS = 1500;
const MAX_POLL_MS = 10_000;

interface Options {
  person: Person;
  clips: Record<UploadKind, Clip>;
  /** Ends the waiting for what should become of it. */
  signal: AbortSignal;
}

/** Uploads a file as its kind says. @returns the entry's id */
async function send({ kind, title }: PlannedUpload, { person, clips, signal }: Options): Promise<string> {
  const video = { clientId: randomUUID(), title, file: clips[kind].file };
  if (kind === 'unconfirmed') return insist(person, (tab) => tab.sendUnconfirmed(video, signal), signal);
  let entryId = '';
  const onOpened = (id: string) => {
    entryId = id;
  };
  if (kind === 'reloaded') {
    await insist(person, (tab) => tab.sendVideo(video, onOpened, 1), signal).catch((error) => {
      if (error.name !== TAB_CLOSED) throw error;
    });
    await person.browser.reload();
  }
  await insist(person, (tab) => tab.sendVideo(video, onOpened), signal);
  return entryId;
}

/** Opens an upload that the plan has no space for. @throws Error if it isn't refused */
async function expectRefusal(upload: PlannedUpload, options: Options): Promise<void> {
  try {
    await send(upload, options);
  } catch (error) {
    if ((error as { code?: string }).code === 'quota_reached') return;
    throw error;
  }
  throw new Error('It should have been refused, because the plan is used up.');
}

const isSettled = ({ videoStatus, transcription }: Entry) =>
  videoStatus === 'failed' || (videoStatus === 'ready' && transcription.status !== 'processing');

/** Watches an entry as its page does, until it's settled. @param onPlayable called once it can be played */
async function watchEntry(
  entryId: string,
  { person, signal }: Options,
  onPlayable: () => void,
): Promise<void> {
  let isPlayable = false;
  for (let pause = MIN_POLL_MS; ; pause = Math.min(MAX_POLL_MS, pause * 1.3)) {
    const entry = await insist(person, (tab) => tab.getEntry(entryId), signal);
    if (entry.videoUrl && !isPlayable) {
      isPlayable = true;
      onPlayable();
    }
    if (isSettled(entry)) return;
    await delay(pause, undefined, { signal });
  }
}

/** Whether each held entry of a person is known to be held. What comes after it is refused. */
const held = new WeakMap<Person, Promise<unknown>>();

/** Does what a kind of upload asks for after it was sent. */
async function follow(
  upload: PlannedUpload,
  outcome: Outcome,
  options: Options,
  number: number,
): Promise<void> {
  const { kind, title } = upload;
  const { person, signal } = options;
  const { entryId } = outcome;
  if (!entryId) return;
  if (kind === 'in the trash' || kind === 'deleted') {
    // Somewhere in the middle of its jobs.
    await delay((number % 7) * 700);
    await insist(person, (tab) => tab.removeEntry(entryId), signal);
    if (kind === 'deleted') {
      await insist(person, (tab) => tab.purgeEntry(entryId), signal).catch((error) => {
        // The answer to the first try was lost.
        if (error.status !== 404) throw error;
      });
    }
    return;
  }
  const confirmedAt = performance.now();
  if (UPLOAD_KINDS[kind].ends.video === 'ready' && number % EDIT_EVERY === 0) {
    outcome.edits = await editEntry(person, entryId, title, signal);
  }
  await watchEntry(entryId, options, () => {
    outcome.playableMs = Math.round(performance.now() - confirmedAt);
  });
}

/** Uploads a video as a person does and follows it until it's settled. Never rejects. */
export async function runUpload(upload: PlannedUpload, options: Options, number: number): Promise<Outcome> {
  const { person, signal } = options;
  const outcome: Outcome = {
    ...upload,
    entryId: null,
    problem: null,
    sentMs: null,
    playableMs: null,
    edits: null,
  };
  const pressedAt = performance.now();
  try {
    if (upload.kind === 'refused') {
      await held.get(person);
      await expectRefusal(upload, options);
      return outcome;
    }
    const sending = send(upload, options);
    const work = sending.then(async (entryId) => {
      outcome.entryId = entryId;
      outcome.sentMs = Math.round(performance.now() - pressedAt);
      await follow(upload, outcome, options, number);
    });
    if (upload.kind === 'held')
      held.set(
        person,
        work.catch(() => undefined),
      );
    await work;
  } catch (error) {
    const { name, message, status, code } = error as Error & { status?: number; code?: string };
    outcome.problem = signal.aborted
      ? 'It wasn’t settled in time.'
      : [name, status, code, message].filter(Boolean).join(' ');
  }
  return outcome;
}
