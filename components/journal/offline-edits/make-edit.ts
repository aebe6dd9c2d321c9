import { isSameWords } from '@/components/journal/transcript/transcript-draft';
import type { Note } from '@/lib/journal/notes/contract';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
import type { Edit, EditedEntry } from './edit';
import { changeEdit, type EditValues } from './edit-store';

/** The target of a transcript's edit. */
const TRANSCRIPT = 'transcript';

/** Returns a note's text as the server stores it. */
const normalizeText = (text: string): string => text.toWellFormed().normalize('NFC').trim();

let lastMadeAt = 0;

/** Returns what every new edit starts with. No two have the same time. */
function newEdit({ owner, entryId, title }: EditedEntry, target: string) {
  lastMadeAt = Math.max(Date.now(), lastMadeAt + 1);
  return { owner, entryId, title, target, madeAt: lastMadeAt, problem: null };
}

/** Stores a new note. */
export async function addNote(of: EditedEntry, text: string, moment: number | null): Promise<void> {
  const target = crypto.randomUUID();
  const kind = 'added-note' as const;
  await changeEdit(of, target, () => ({
    ...newEdit(of, target),
    ...{ kind, text: normalizeText(text), moment, deleted: false, sentText: null },
  }));
}

/**
 * Stores a change of a note, of the journal's or of one that was written on this device. Several changes are stored as
 * one, and one that's been undone isn't stored.
 * @param note as it's shown
 */
async function changeNote(
  of: EditedEntry,
  note: Pick<Note, 'id' | 'text' | 'moment'>,
  values: { text?: string; deleted?: boolean },
): Promise<void> {
  await changeEdit(of, note.id, (current): EditValues | null => {
    if (current?.kind === 'added-note') return { ...current, ...values, problem: null };
    const { id, text, moment } = note;
    const kind = 'changed-note' as const;
    const changed =
      current?.kind === 'changed-note'
        ? { ...current, ...values, problem: null }
        : { ...newEdit(of, id), ...{ kind, before: text, text, moment, deleted: false }, ...values };
    return changed.text === changed.before && !changed.deleted ? null : changed;
  });
}

/** Stores the new text of a note. */
export const editNote = (of: EditedEntry, note: Note, text: string): Promise<void> =>
  changeNote(of, note, { text: normalizeText(text) });

/** Stores that a note is deleted. */
export const deleteNote = (of: EditedEntry, note: Note): Promise<void> =>
  changeNote(of, note, { deleted: true });

/** Takes back that a note is deleted. */
export const undoDeleteNote = (of: EditedEntry, note: Note): Promise<void> =>
  changeNote(of, note, { deleted: false });

/**
 * Stores corrected words. Several corrections are stored as one.
 * @param corrected the transcript that the server has
 * @param words all of them, in time order
 */
export async function correctTranscript(
  of: EditedEntry,
  { revision, words: base }: Pick<Transcription, 'revision' | 'words'>,
  words: readonly Word[],
): Promise<void> {
  const kind = 'corrected-transcript' as const;
  await changeEdit(of, TRANSCRIPT, (current) => {
    const values =
      current?.kind === kind
        ? { ...current, words, problem: null }
        : { ...newEdit(of, TRANSCRIPT), kind, revision, base, words };
    return isSameWords(values.words, values.base) ? null : values;
  });
}

/** Has an edit sent once more that the server didn't accept. */
export async function retryEdit(edit: Edit): Promise<void> {
  await changeEdit(edit, edit.target, (current) => (current ? { ...current, problem: null } : null));
}
