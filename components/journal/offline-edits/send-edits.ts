import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { isStatus, saveCorrection } from '@/components/journal/transcript/save-correction';
import { isCurrentAccount } from '@/components/ui/browser-storage';
import { errorMessage } from '@/components/ui/error-message';
import { waitForLock } from '@/components/ui/web-locks';
import { call } from '@/lib/api/shared/client';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Entry } from '@/lib/journal/entries/contract';
import type { AddedNote, ChangedNote, CorrectedTranscript, Edit, EditProblem } from './edit';
import { changeEdit, type EditValues, endEdit, listEdits } from './edit-store';
import { publishSent, type SentChange } from './sent-changes';

/** What became of the account's edits. */
export interface SendResult {
  /** How many the server has now. */
  sent: number;
  /** How many wait for the network, the server, or a login. */
  waiting: number;
  /** How many wait for the user, since they can't be saved. */
  unsaved: number;
}

/** Returns whether the server's answer to an edit won't change by itself. */
const isRefusal = ({ status, code }: ApiError) =>
  status === 400 || status === 413 || code === 'quota_reached';

/** Returns the entry as the server has it; null if it's deleted or in the trash. */
async function fetchEntry({ entryId }: Edit): Promise<Entry | null> {
  try {
    return await call('GET /entry/:id', { params: { id: entryId }, onExpired: 'throw' });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

async function report(edit: Edit, change: Omit<SentChange, keyof OwnedEntry>): Promise<void> {
  await publishSent({ owner: edit.owner, entryId: edit.entryId, ...change });
}

/** Sends a new note. What was changed since it was first sent becomes a change of the note that the server has. */
async function sendAddedNote(edit: AddedNote): Promise<void> {
  if (edit.deleted && edit.sentText === null) return endEdit(edit, (newer) => newer);
  // The answer may get lost, and the server keeps what it got first.
  const text = edit.sentText ?? edit.text;
  const marked = await changeEdit(edit, edit.target, (current) =>
    current?.kind === 'added-note' ? { ...current, sentText: text } : (current ?? null),
  );
  if (marked?.kind !== 'added-note') return;
  const { entryId, moment, target } = marked;
  const body = { text, moment, client_id: target, createdAt: new Date(edit.madeAt).toISOString() };
  const note = await call('POST /entry/:id/notes', { params: { id: entryId }, body, onExpired: 'throw' });
  await report(edit, { note });
  await changeEdit(edit, target, (newer) => {
    if (newer?.kind !== 'added-note' || (newer.text === text && !newer.deleted)) return null;
    const { sentText: _, ...rest } = newer;
    return { ...rest, kind: 'changed-note', target: note.id, before: text };
  });
}

/** Returns a changed note as a new one, for when the journal has another text or none. */
function asAddedNote({ before: _, ...edit }: ChangedNote): EditValues {
  return { ...edit, kind: 'added-note', target: crypto.randomUUID(), sentText: null, problem: null };
}

/** Deletes a note. One that was changed elsewhere meanwhile stays. */
async function sendDeletedNote(edit: ChangedNote): Promise<void> {
  const { entryId, target: noteId, before } = edit;
  const note = (await fetchEntry(edit))?.notes.find(({ id }) => id === noteId);
  const isChanged = note && note.text !== before && note.text !== edit.text;
  if (note && !isChanged) {
    await call('DELETE /entry/:id/notes/:noteId', {
      params: { id: entryId, noteId },
      onExpired: 'throw',
    }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }
  await report(edit, isChanged ? { note } : { deletedNoteId: noteId });
  await endEdit(edit, (newer) => newer);
}

/** Saves a note's text. If it was changed or deleted elsewhere meanwhile, the text becomes a note of its own. */
async function sendChangedNote(edit: ChangedNote): Promise<void> {
  if (edit.deleted) return sendDeletedNote(edit);
  const { entryId, target: noteId, text, before } = edit;
  const params = { id: entryId, noteId };
  try {
    const note = await call('POST /entry/:id/notes/:noteId', {
      params,
      body: { text, before },
      onExpired: 'throw',
    });
    await report(edit, { note });
    await endEdit(edit, (newer) => (newer.kind === 'changed-note' ? { ...newer, before: text } : newer));
  } catch (error) {
    if (!isStatus(error, 409) && !isStatus(error, 404)) throw error;
    const entry = await fetchEntry(edit);
    const note = entry?.notes.find(({ id }) => id === noteId);
    // What was said about a moment ago may no longer be so; then the next attempt succeeds.
    if (!entry || note?.text === before || note?.text === text) throw error;
    await report(edit, note ? { note } : { deletedNoteId: noteId });
    // If it has changed meanwhile, it's sent again.
    await changeEdit(edit, noteId, (current) =>
      current?.version === edit.version ? asAddedNote(edit) : (current ?? null),
    );
  }
}

async function sendCorrection(edit: CorrectedTranscript): Promise<void> {
  const { transcription, isMerged } = await saveCorrection(edit.owner, edit, { onExpired: 'throw' });
  await report(edit, { transcription });
  // What was corrected meanwhile is based on the words that were sent. After a merge, it has to be merged, too.
  await endEdit(edit, (newer) =>
    newer.kind === 'corrected-transcript'
      ? { ...newer, base: edit.words, revision: isMerged ? edit.revision : transcription.revision }
      : newer,
  );
}

function send(edit: Edit): Promise<void> {
  if (edit.kind === 'added-note') return sendAddedNote(edit);
  return edit.kind === 'changed-note' ? sendChangedNote(edit) : sendCorrection(edit);
}

/** Returns why an edit can't be saved, whenever it's sent; null if it can. */
async function findProblem(edit: Edit, error: ApiError): Promise<EditProblem | null> {
  if (isRefusal(error)) return { kind: 'refused', message: errorMessage(error) };
  return error.status === 404 && !(await fetchEntry(edit)) ? { kind: 'entry-gone' } : null;
}

/** Sends an edit and stores what becomes of it. @throws ApiError if it has to wait */
async function sendOrExplain(edit: Edit): Promise<void> {
  try {
    await send(edit);
  } catch (error) {
    const problem = error instanceof ApiError ? await findProblem(edit, error) : null;
    if (!problem) throw error;
    // If it has changed meanwhile, it's sent again.
    await changeEdit(edit, edit.target, (current) => {
      if (!current) return null;
      const explained = { ...current, problem: isSameEdit(current, edit) ? problem : null };
      // The server doesn't have what it refused, and another text may be sent in its place.
      return explained.kind === 'added-note' && problem.kind === 'refused'
        ? { ...explained, sentText: null }
        : explained;
    });
  }
}

/** A new note gets another version when it's sent. */
const isSameEdit = (current: Edit, sent: Edit) =>
  current.version === sent.version ||
  (current.kind === 'added-note' && sent.kind === 'added-note' && current.text === sent.text);

/** Returns whether the other edits would fail for the same reason. */
const failsForAll = ({ status }: ApiError) => [0, 401, 403, 429, 503].includes(status);

async function sendAll(owner: string): Promise<SendResult> {
  let sent = 0;
  const failed = new Set<string>();
  for (;;) {
    const edits = await listEdits(owner);
    const waiting = edits.filter(({ problem }) => !problem);
    const result = { sent, waiting: waiting.length, unsaved: edits.length - waiting.length };
    const next = waiting.find(({ entryId, target }) => !failed.has(`${entryId} ${target}`));
    if (!next || !navigator.onLine || !isCurrentAccount(owner)) return result;
    try {
      await sendOrExplain(next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      logRejected(error);
      if (failsForAll(error)) return result;
      failed.add(`${next.entryId} ${next.target}`);
    }
    if ((await listEdits(owner)).length < edits.length) sent += 1;
  }
}

/**
 * Sends what the account edited without a network, in order and by one tab at a time. An edit is deleted once the server
 * has it. One that can't be saved stays with the reason, and the others are sent. The page's calls must be made in the
 * name of the account (`AccountStorage`).
 * @param owner the account's id
 * @throws DOMException if the device's storage fails
 */
export async function sendEdits(owner: string): Promise<SendResult> {
  const release = await waitForLock(`daylight-edits-${owner}`);
  try {
    return await sendAll(owner);
  } finally {
    release();
  }
}
