/** An entry, and whose it is. */
export interface OwnedEntry {
  /** The account's id. */
  owner: string;
  entryId: string;
}
