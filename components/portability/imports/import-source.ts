import type { UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import type { Body } from '@/lib/api/shared/client';
import type { EntryState } from '@/lib/portability/imports/archive/shared/requests';

/** What was chosen: videos, a Google Takeout, a Day One export, or an archive of Daylight. */
export type ImportKind = Body<'POST /imports'>['kind'];

/** Something that an import adds: an entry with its video. */
export interface ImportItem {
  /** Unique among what was chosen, unless an archive has an id twice. */
  id: string;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  bytes: number;
  /** Null if it isn't known. */
  seconds: number | null;
  /** Why it can't be imported; null if it can. */
  problem: string | null;
  /**
   * Adds the entry and sends its video. Goes on where an earlier attempt has stopped, and does nothing if the journal has
   * it.
   * @throws ArchiveProblem; StorageError; ApiError; DOMException if the file can't be read anymore; or the signal's reason
   * if it's aborted
   */
  send(importId: string, events: UploadEvents, signal: AbortSignal): Promise<void>;
}

/** What a person has chosen to import. */
export interface ImportSource {
  kind: ImportKind;
  /** The name of the file or the folder. */
  name: string;
  items: readonly ImportItem[];
  /** How many tags it has, whether or not an entry has them. */
  tags: number;
  /**
   * Asks which of its items the journal has.
   * @param importId of the import that has started; null if none has
   * @returns their states, in their order
   */
  findStates(importId: string | null): Promise<EntryState[]>;
  /**
   * Adds what doesn't belong to one item.
   * @throws like an item's `send`
   */
  sendShared(importId: string, events: UploadEvents, signal: AbortSignal): Promise<void>;
  /** Returns whether the other items would fail, too, if one fails like this. */
  stopsAll(error: unknown): boolean;
}
