import { AppError } from '@/lib/foundation/contract/errors';
import type { Tag } from '@/lib/journal/tags/contract';
import { listTags } from '@/lib/journal/tags/service';
import type { EntrySummary } from './contract';
import {
  type GalleryFilter,
  selectDays,
  selectFilteredMonths,
  selectGallery,
  selectNeighbor,
  selectRange,
} from './gallery-queries';
import { firstDay, type MonthCount, monthsIn, monthText, selectMonthCounts, sumEntries } from './months';
import { presentSummary, thumbnailUrl } from './service';
import { readDate } from './shared/calendar';
import { MAX_SELECTED, TOO_MANY_SELECTED } from './shared/selection';

const PAGE_SIZE = 6;
/** The most entries that a month's calendar shows. */
const MAX_IN_MONTH = 400;

async function countMonths(
  userId: string,
  { tag, month, notes }: GalleryFilter,
  all: Promise<MonthCount[]>,
): Promise<MonthCount[]> {
  const counts = tag?.length || notes ? await selectFilteredMonths(userId, { tag, notes }) : await all;
  if (!month) return counts;
  const { from, to } = monthsIn(month);
  return counts.filter((count) => count.month >= from && count.month < to);
}

/**
 * Returns how many entries a filter leaves.
 * @param all the counts, where they are asked for already
 */
export async function countMatches(
  userId: string,
  filter: GalleryFilter,
  all = selectMonthCounts(userId),
): Promise<number> {
  return sumEntries(await countMonths(userId, filter, all));
}

/** Where in a journal an entry is by its place in the list: its month, and how many of that month come before it. */
function locate(counts: MonthCount[], place: number): { month: number; skip: number } {
  let before = 0;
  for (const { month, entries } of counts) {
    if (place < before + entries) return { month, skip: place - before };
    before += entries;
  }
  throw new RangeError('there is no entry at this place');
}

/**
 * A numbered page of the gallery, 6 entries, newest first; a page beyond the last is the last. It is found by the
 * months' counts, so that the thousandth costs what the first does.
 * @param all the counts, where they are asked for already
 */
export async function journalPage(
  userId: string,
  page: number,
  filter: GalleryFilter = {},
  all = selectMonthCounts(userId),
): Promise<{ entries: EntrySummary[]; page: number; pages: number; total: number }> {
  const counts = await countMonths(userId, filter, all);
  const total = sumEntries(counts);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const shown = Math.max(1, Math.min(page, pages));
  if (total === 0) return { entries: [], page: shown, pages, total };
  const { month, skip } = locate(counts, (shown - 1) * PAGE_SIZE);
  const stretch = { before: firstDay(month + 1), skip, limit: PAGE_SIZE };
  const rows = await selectGallery(userId, filter, stretch);
  return { entries: rows.map(presentSummary), page: shown, pages, total };
}

/** What the gallery can be narrowed down to: tags by name, months (`YYYY-MM`) newest first. And the entries of all. */
export async function journalFilters(
  userId: string,
  all = selectMonthCounts(userId),
): Promise<{ tags: Tag[]; months: string[]; total: number }> {
  const [tags, counts] = await Promise.all([listTags(userId), all]);
  return { tags, months: counts.map(({ month }) => monthText(month)), total: sumEntries(counts) };
}

/** The entries of a month (`YYYY-MM`), newest first. */
export async function journalMonth(userId: string, month: string): Promise<EntrySummary[]> {
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, number ?? 1, 0)).getUTCDate();
  const rows = await selectDays(userId, `${month}-01`, `${month}-${last}`, MAX_IN_MONTH);
  return rows.map(presentSummary);
}

/** Returns the entries of a day (`YYYY-MM-DD`), newest first; two of them if there are more. */
export async function journalDay(userId: string, date: string): Promise<EntrySummary[]> {
  const rows = await selectDays(userId, date, date, 2);
  return rows.map(presentSummary);
}

/**
 * Returns the entries of a gallery from one to another, both included, newest first.
 * @throws AppError `not_found` unless the gallery has both, or `validation_failed` if there are more than 500
 */
export async function journalRange(
  userId: string,
  { from, to, ...filter }: GalleryFilter & { from: string; to: string },
): Promise<EntrySummary[]> {
  const rows = await selectRange(userId, filter, [from, to], MAX_SELECTED + 1);
  const ids = new Set(rows.map(({ id }) => id));
  if (rows.length > MAX_SELECTED) {
    throw new AppError('validation_failed', {
      message: TOO_MANY_SELECTED,
      fields: { to: TOO_MANY_SELECTED },
    });
  }
  if (!ids.has(from) || !ids.has(to)) throw new AppError('not_found');
  return rows.map(presentSummary);
}

/** An entry as a link to it shows it. */
export type Neighbor = Pick<EntrySummary, 'id' | 'title' | 'date' | 'thumbnail'>;

function presentNeighbor([row]: Awaited<ReturnType<typeof selectNeighbor>>): Neighbor | null {
  if (!row) return null;
  const { id, title, date, thumbnailKey } = row;
  return { id, title, date: readDate(date), thumbnail: thumbnailUrl(id, thumbnailKey !== null) };
}

/**
 * Returns the entries before and after one, by date and then by when they were created; null at either end, and both
 * null if the entry isn't in the journal.
 */
export async function entryNeighbors(
  userId: string,
  entryId: string,
): Promise<{ previous: Neighbor | null; next: Neighbor | null }> {
  const [previous, next] = await Promise.all([
    selectNeighbor(userId, entryId, 'before'),
    selectNeighbor(userId, entryId, 'after'),
  ]);
  return { previous: presentNeighbor(previous), next: presentNeighbor(next) };
}
