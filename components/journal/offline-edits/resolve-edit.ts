import type { Word } from '@/lib/journal/transcripts/contract';
import { type Edit, isSameWords } from './edit';
import { changeEdit, type EditValues } from './edit-store';

/** Returns an edit that's based on what the journal has now; null if nothing is left of it. */
function rebased(edit: Edit, words: readonly Word[] | undefined): EditValues | null {
  const { problem } = edit;
  if (edit.kind === 'changed-note' && problem?.kind === 'note-changed') {
    const isSame = edit.text === problem.text && !edit.deleted;
    return isSame ? null : { ...edit, before: problem.text, problem: null };
  }
  if (edit.kind === 'changed-note' && problem?.kind === 'note-gone') {
    const { before: _, ...rest } = edit;
    return {
      ...rest,
      ...{
        kind: 'added-note',
        target: crypto.randomUUID(),
        madeAt: Date.now(),
        sentText: null,
        problem: null,
      },
    };
  }
  if (edit.kind === 'corrected-transcript' && problem?.kind === 'transcript-changed' && words) {
    const { words: base, revision } = problem;
    return isSameWords(words, base) ? null : { ...edit, base, revision, words, problem: null };
  }
  return { ...edit, problem: null };
}

/**
 * Sends an edit in spite of its problem: over what the journal has, as a new note if the note was deleted, or once more.
 * An edit that has changed since it was shown is sent as it is.
 * @param words what to save of a transcript that was changed on both sides
 */
export async function keepEdit(edit: Edit, words?: readonly Word[]): Promise<void> {
  await changeEdit(edit, edit.target, (current) => {
    if (!current) return null;
    return current.version === edit.version ? rebased(current, words) : { ...current, problem: null };
  });
}

/** Deletes an edit, unless it has changed since it was shown. The journal stays as it is. */
export async function dropEdit(edit: Edit): Promise<void> {
  await changeEdit(edit, edit.target, (current) =>
    current && current.version !== edit.version ? current : null,
  );
}
