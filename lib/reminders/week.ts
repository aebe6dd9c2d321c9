import { and, desc, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { listed } from '@/lib/journal/entries/queries';
import {
  addDays,
  type CalendarDate,
  compareDates,
  readDate,
  toIso,
} from '@/lib/journal/entries/shared/calendar';
import { scoreQuotation } from '@/lib/journal/highlights/pick';
import { getHighlights } from '@/lib/journal/highlights/service';

/** How many of the week's entries are read for quotations, newest first. */
const MAX_ENTRIES = 50;
const MAX_QUOTATIONS = 3;

/** A sentence of an entry, in its speaker's words. */
interface Quotation {
  entryId: string;
  date: CalendarDate;
  /** The question that the entry answers; null if there's none. */
  question: string | null;
  text: string;
  /** Where it begins in the video, in seconds. */
  start: number;
}

export interface Week {
  /** The best sentences in the order they were said: at most three, and none if nobody spoke. */
  quotations: Quotation[];
  /** How many entries the week has. */
  entries: number;
  /** How much was recorded, in seconds. */
  seconds: number;
}

/** Returns what stands for an account's week that ends on a day. */
export async function readWeek(userId: string, lastDay: CalendarDate): Promise<Week> {
  const [from, to] = [toIso(addDays(lastDay, -6)), toIso(lastDay)];
  const rows = await db()
    .select({
      id: entries.id,
      date: entries.date,
      question: entries.question,
      durationMs: entries.durationMs,
    })
    .from(entries)
    .where(and(listed(userId), sql`${entries.date} between ${from}::date and ${to}::date`))
    .orderBy(desc(entries.date), desc(entries.createdAt));
  const recent = rows.slice(0, MAX_ENTRIES);
  const highlights = await getHighlights(
    userId,
    recent.map(({ id }) => id),
  );
  const scored = recent.flatMap(({ id, date, question }) => {
    const words = highlights.get(id);
    if (!words) return [];
    const text = words.map(({ word }) => word).join(' ');
    const start = words[0]?.start_time ?? 0;
    const score = scoreQuotation(words.map(({ word, start_time, end_time }) => [word, start_time, end_time]));
    return [{ score, quotation: { entryId: id, date: readDate(date), question, text, start } }];
  });
  const best = scored.sort((a, b) => b.score - a.score).map(({ quotation }) => quotation);
  return {
    quotations: best
      .slice(0, MAX_QUOTATIONS)
      .sort((a, b) => compareDates(a.date, b.date) || a.entryId.localeCompare(b.entryId)),
    entries: rows.length,
    seconds: Math.round(rows.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 1000),
  };
}
