import type { Word } from '@/lib/journal/transcripts/contract';

/** The device setting with the id of an account whose edits wait, so that pages can tell without opening the database. */
export const WAITING_EDITS_KEY = 'daylight-edits';

/** The entry that's edited. */
export interface EditedEntry {
  /** The account's id. */
  owner: string;
  entryId: string;
  /** The entry's title, to name it by. */
  title: string;
}

/** Why an edit needs its person's decision. */
export type EditProblem =
  /** The note has another text in the journal now. */
  | { kind: 'note-changed'; text: string }
  /** The transcript has other words in the journal now, some in the same places. */
  | { kind: 'transcript-changed'; revision: number | null; words: readonly Word[] }
  | { kind: 'note-gone' }
  /** Deleted, or in the trash. */
  | { kind: 'entry-gone' }
  /** The server doesn't accept it. The message is for people. */
  | { kind: 'refused'; message: string };

interface StoredEdit extends EditedEntry {
  /** What's edited: the id of a note, the client_id of a new one, or `transcript`. */
  target: string;
  /** When it was first made, in milliseconds since 1970. Edits are sent in this order. */
  madeAt: number;
  /** Changes whenever the edit does. */
  version: string;
  problem: EditProblem | null;
}

/** A note that was written on this device. */
export interface AddedNote extends StoredEdit {
  kind: 'added-note';
  text: string;
  /** In seconds; null for the whole video. */
  moment: number | null;
  deleted: boolean;
  /** The text that the server may already have; null before it's first sent. */
  sentText: string | null;
}

/** A note of the journal that was edited or deleted on this device. */
export interface ChangedNote extends StoredEdit {
  kind: 'changed-note';
  /** The text that was edited. */
  before: string;
  text: string;
  moment: number | null;
  deleted: boolean;
}

export interface CorrectedTranscript extends StoredEdit {
  kind: 'corrected-transcript';
  /** The revision that was corrected; null if there was none. */
  revision: number | null;
  /** Its words. */
  base: readonly Word[];
  words: readonly Word[];
}

/** A change that was made on this device and that the server doesn't have yet. */
export type Edit = AddedNote | ChangedNote | CorrectedTranscript;

/** The target of a transcript's edit. */
export const TRANSCRIPT = 'transcript';

/** Returns a note's text as the server stores it. */
export const normalizeText = (text: string): string => text.toWellFormed().normalize('NFC').trim();

/** Returns whether two transcripts have the same words at the same times. */
export const isSameWords = (one: readonly Word[], two: readonly Word[]): boolean =>
  one.length === two.length &&
  one.every((word, index) => {
    const other = two[index];
    return (
      word.word === other?.word && word.start_time === other.start_time && word.end_time === other.end_time
    );
  });
