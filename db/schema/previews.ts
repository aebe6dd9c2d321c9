import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Storyboard } from '@/lib/media/storyboard';
import { entries } from './entries';

/** What helps to find a moment in a video. Made after it can be watched; an entry may do without. */
export const previews = pgTable('previews', {
  entryId: uuid('entry_id')
    .primaryKey()
    .references(() => entries.id, { onDelete: 'cascade' }),
  /** How the pictures lie in the object `storyboard.jpg`; null while there is none. */
  storyboard: jsonb().$type<Storyboard>(),
  /** Base64 of one byte for each stretch of the video, 0 to 255 of its loudest. */
  waveform: text(),
});
