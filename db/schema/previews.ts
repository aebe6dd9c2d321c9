import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { entries } from './entries';

/** The same shape as `Storyboard` in lib/media, which is a higher layer. */
interface StoredStoryboard {
  everySeconds: number;
  count: number;
  columns: number;
  width: number;
  height: number;
}

/** Previews on the player's time bar. They're made after a video is ready to watch, so an entry may have none. */
export const previews = pgTable('previews', {
  entryId: uuid('entry_id')
    .primaryKey()
    .references(() => entries.id, { onDelete: 'cascade' }),
  /** The layout of the thumbnails in the object `storyboard.jpg`; null while there is none. */
  storyboard: jsonb().$type<StoredStoryboard>(),
  /**
   * Base64 of one byte per interval of the video: its volume, from 0 to 255, relative to the loudest. Made last: empty
   * if there's none to make, null while nobody has tried.
   */
  waveform: text(),
});
