import type { Note } from '@/lib/journal/notes/contract';
import type { AddedNote, ChangedNote, Edit } from './edit';

/** A note as this device shows it, with its edit that waits; null if there's none. */
export interface ShownNote {
  note: Note;
  edit: AddedNote | ChangedNote | null;
}

/** Returns an entry's notes as changed on this device, newest first. Deleted ones stay until that's sent. */
export function showNotes(notes: readonly Note[], edits: readonly Edit[]): ShownNote[] {
  const added: ShownNote[] = [];
  const changed = new Map<string, ChangedNote>();
  for (const edit of edits) {
    const { target: id, madeAt } = edit;
    if (edit.kind === 'changed-note') changed.set(id, edit);
    if (edit.kind !== 'added-note') continue;
    const { text, moment } = edit;
    added.push({ note: { id, text, moment, createdAt: new Date(madeAt).toISOString() }, edit });
  }
  const known = notes.map((note) => {
    const edit = changed.get(note.id) ?? null;
    changed.delete(note.id);
    return { note: edit ? { ...note, text: edit.text } : note, edit };
  });
  // Of notes that the copy of the entry doesn't have, the edit says enough.
  const others = [...changed.values()].map((edit): ShownNote => {
    const { target: id, text, moment, madeAt } = edit;
    return { note: { id, text, moment, createdAt: new Date(madeAt).toISOString() }, edit };
  });
  return [...added.reverse(), ...others.reverse(), ...known];
}
