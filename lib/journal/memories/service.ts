import { v7 as uuidv7 } from 'uuid';
import { AppError } from '@/lib/foundation/contract/errors';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { presentSummary, videoUrlOf } from '@/lib/journal/entries/service';
import { type CalendarDate, readDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { getHighlights } from '@/lib/journal/highlights/service';
import type { Word } from '@/lib/journal/transcripts/contract';
import type { HiddenMemory } from './contract';
import {
  deleteHidden,
  type HiddenRow,
  insertHidden,
  selectAround,
  selectHidden,
  selectThisDay,
} from './queries';

/** How many years are offered. */
const MAX_YEARS = 6;
/** How many entries of this day are looked at to find the best one of each year. */
const MAX_ENTRIES = 24;

/** An entry of this day in an earlier year. */
export interface Memory {
  entry: EntrySummary;
  /** The sentence that stands for it, with its words' times; empty if nobody spoke. */
  words: Word[];
  /** Empty while there's nothing to play. */
  videoUrl: string;
  /** Base64 of the video's volume over time, as in {@link Previews}. */
  waveform: string | null;
}

/**
 * Returns a memory for each earlier year that has entries of this day, newest year first, without those that are hidden.
 * Of several in a year it's the newest one that somebody speaks in.
 */
export async function onThisDay(userId: string, today: CalendarDate): Promise<Memory[]> {
  const rows = await selectThisDay(userId, toIso(today), MAX_ENTRIES);
  const words = await getHighlights(
    userId,
    rows.map(({ id }) => id),
  );
  const best = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const year = row.date.slice(0, 4);
    const chosen = best.get(year);
    if (!chosen || (!words.has(chosen.id) && words.has(row.id))) best.set(year, row);
  }
  return [...best.values()].slice(0, MAX_YEARS).map((row) => ({
    entry: presentSummary(row),
    words: words.get(row.id) ?? [],
    videoUrl: videoUrlOf(row),
    waveform: row.waveform,
  }));
}

/** Some entry that is not hidden, from any time of the journal alike; null when there is none. */
export function getRandomEntry(userId: string): Promise<{ id: string; title: string } | null> {
  return selectAround(userId, Math.random());
}

const presentHiddenMemory = ({ id, entry, tag, date }: HiddenRow): HiddenMemory => ({
  id,
  entry: entry && { ...entry, date: readDate(entry.date) },
  tag,
  date: date === null ? null : readDate(date),
});

/** What somebody has hidden, the latest first. */
export async function listHidden(userId: string): Promise<HiddenMemory[]> {
  return (await selectHidden(userId)).map(presentHiddenMemory);
}

/**
 * Leaves something out of On This Day and of surprises; it stays in the journal and in search.
 * @throws AppError `not_found` when the entry or the tag is not theirs
 */
export async function hideMemory(
  userId: string,
  target: { entryId: string } | { tagId: string } | { date: CalendarDate },
): Promise<HiddenMemory> {
  const hidden = 'date' in target ? { date: toIso(target.date) } : target;
  await insertHidden(userId, uuidv7(), hidden);
  const [row] = await selectHidden(userId, hidden);
  if (!row) throw new AppError('not_found');
  return presentHiddenMemory(row);
}

/** Takes back what was hidden. @throws AppError `not_found` */
export async function unhideMemory(userId: string, id: string): Promise<void> {
  if (!(await deleteHidden(userId, id))) throw new AppError('not_found');
}
