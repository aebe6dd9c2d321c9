import { useState } from 'react';
import { isBlank } from '@/lib/foundation/shared/clean-text';
import type { NewNote } from '@/lib/journal/notes/contract';
import type { Mark, Recording, RecoveredRecording } from './recorder-state';
import { saveDetails } from './recording-store';

/** The text of a note for a mark without words. */
const NO_WORDS = 'Marked while recording';

/** Returns the notes that marks become on the entry. */
export const notesOf = (marks: readonly Mark[]): NewNote[] =>
  marks.map(({ id, seconds, at, text }) => ({
    client_id: id,
    moment: seconds,
    createdAt: new Date(at).toISOString(),
    text: isBlank(text) ? NO_WORDS : text,
  }));

/** The marks of a recording, and what changes them. */
export type Marks = ReturnType<typeof useMarks>;

/** Returns the marks of a recording, and what changes them, here and in its local copy. */
export function useMarks(recording: Recording | RecoveredRecording | null) {
  /** By file, so that a recording that's discarded and restored has what was written. */
  const [changed, setChanged] = useState<ReadonlyMap<File, readonly Mark[]>>(new Map());
  const marks = recording ? (changed.get(recording.file) ?? recording.marks) : [];

  function save(next: readonly Mark[]): void {
    if (!recording) return;
    setChanged((before) => new Map(before).set(recording.file, next));
    if (recording.id) void saveDetails(recording.id, { marks: next });
  }

  return {
    marks,
    write: (id: string, text: string) =>
      save(marks.map((mark) => (mark.id === id ? { ...mark, text } : mark))),
    remove: (id: string) => save(marks.filter((mark) => mark.id !== id)),
  };
}
