import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { entryColumn } from './entries';

/** The same shape as `Storyboard` in lib/video/media, which is a higher layer. */
interface StoredStoryboard {
  everySeconds: number;
  count: number;
  columns: number;
  width: number;
  height: number;
}

/** Previews on the player's time bar. They're made after a video is ready to watch, from when on it has a row. */
export const previews = pgTable(
  'previews',
  {
    entryId: entryColumn().primaryKey(),
    /** The layout of the thumbnails in the object `storyboard.jpg`; null while there is none. */
    storyboard: jsonb().$type<StoredStoryboard>(),
    /**
     * Base64 of one byte per interval of the video: its volume, from 0 to 255, relative to the loudest. It's made last:
     * null until then, and empty if the video has none.
     */
    waveform: text(),
  },
  (table) => [index('previews_unfinished').on(table.entryId).where(sql`waveform is null`)],
);
