import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import type { Correction } from '@/components/journal/transcript/save-correction';

/** The device setting with the id of an account whose edits wait, so that pages can tell without opening the database. */
export const WAITING_EDITS_KEY = 'daylight-edits';

/** The entry that's edited. */
export interface EditedEntry extends OwnedEntry {
  /** The entry's title, to name it by. */
  title: string;
}

/** Why an edit waits for the user. */
export type EditProblem =
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

interface EditedNote extends StoredEdit {
  text: string;
  /** In seconds; null for the whole video. */
  moment: number | null;
  deleted: boolean;
}

/** A note that was written on this device. */
export interface AddedNote extends EditedNote {
  kind: 'added-note';
  /** The text that the server may already have; null before it's first sent. */
  sentText: string | null;
}

/** A note of the journal that was edited or deleted on this device. */
export interface ChangedNote extends EditedNote {
  kind: 'changed-note';
  /** The text that was edited. */
  before: string;
}

export interface CorrectedTranscript extends StoredEdit, Correction {
  kind: 'corrected-transcript';
}

/** A change that was made on this device and that the server doesn't have yet. */
export type Edit = AddedNote | ChangedNote | CorrectedTranscript;
