import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { readCursor, writeCursor } from '@/lib/journal/entries/cursor';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import type { MatchRow, Place } from './match-queries';

const place = z.tuple([
  z.boolean(),
  z.string().refine((date) => fromIso(date) !== null),
  // Postgres has no year 0.
  z.iso.datetime().refine((moment) => !moment.startsWith('0000')),
  id,
]);

/**
 * A page's last result, by which it's found again after entries were added or deleted: its place, its score if it's
 * ranked, the place after which results aren't ranked, and whether typos were corrected.
 */
const cursorParts = z.tuple([place, z.number().min(0).max(1000).nullable(), place.nullable(), z.boolean()]);

export interface SearchCursor {
  after: Place;
  /** Null if it isn't ranked. */
  score: number | null;
  boundary: Place | null;
  corrected: boolean;
}

const toPlace = ([first, date, createdAt, entryId]: z.infer<typeof place>): Place => ({
  first,
  date,
  createdAt,
  id: entryId,
});

const fromPlace = ({ first, date, createdAt, id: entryId }: Place) => [first, date, createdAt, entryId];

/** @throws AppError `validation_failed` */
export function readSearchCursor(cursor: string): SearchCursor {
  const [after, score, boundary, corrected] = readCursor(cursorParts, cursor);
  return { after: toPlace(after), score, boundary: boundary && toPlace(boundary), corrected };
}

/** Returns the cursor of the page that follows a result. */
export const writeSearchCursor = (last: MatchRow, boundary: Place | null, corrected: boolean): string =>
  writeCursor([
    fromPlace({ ...last, createdAt: last.created_at }),
    last.score,
    boundary && fromPlace(boundary),
    corrected,
  ]);
