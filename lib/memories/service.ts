import { v7 as uuidv7 } from 'uuid';
import { AppError } from '@/lib/contract/errors';
import { type CalendarDate, readDate, toIso } from '@/lib/entries/calendar';
import type { EntrySummary } from '@/lib/entries/contract';
import { presentSummary } from '@/lib/entries/service';
import type { HiddenMemory } from './contract';
import {
  deleteHidden,
  type HiddenRow,
  insertHidden,
  selectAround,
  selectHidden,
  selectThisDay,
} from './queries';

const MAX_MEMORIES = 3;

/** Entries of this day in earlier years, without those that are hidden. */
export async function onThisDay(userId: string, today: CalendarDate): Promise<EntrySummary[]> {
  const rows = await selectThisDay(userId, toIso(today), MAX_MEMORIES);
  return rows.map(presentSummary);
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
