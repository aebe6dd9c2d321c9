import { and, eq, isNotNull, or, sql } from 'drizzle-orm';
import { type Database, db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import type { EntrySummary } from '@/lib/journal/entries/contract';
import { listed, newestFirst } from '@/lib/journal/entries/queries';
import { presentSummary, summaryColumns } from '@/lib/journal/entries/service';
import { type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { getHighlights } from '@/lib/journal/highlights/service';
import { PROMPTS, promptOfDay } from '@/lib/journal/shared/prompts';
import type { Word } from '@/lib/journal/transcripts/contract';
import { isThisDay, notHidden } from './service';

/** An entry that answers a question. */
export interface Answer {
  entry: EntrySummary;
  question: string;
  /** The sentence that stands for it, with its words' times; empty if nobody spoke. */
  words: Word[];
  /** The language of its words, BCP 47; null while it's unknown. */
  language: string | null;
}

/** What a day asks somebody. */
export interface DayQuestion {
  question: string;
  /** The day's entry that answers a question; null if there's none. */
  answer: Answer | null;
  /** The answer to the same question on this day in an earlier year; null if it wasn't asked then. */
  earlier: Answer | null;
}

/** How many answers of a day, and of the same day in earlier years, are looked at. */
const MAX_ANSWERS = 24;

/** Reads the newest answer of a day, and the newest one to the same question of the same day in earlier years. */
async function readAnswers(userId: string, day: CalendarDate, connection: Transaction | Database = db()) {
  const today = toIso(day);
  const isToday = eq(entries.date, today);
  const rows = await connection
    .select({
      ...summaryColumns,
      question: sql<string>`${entries.question}`,
      language: entries.language,
      isToday: sql<boolean>`${isToday}`,
    })
    .from(entries)
    .where(
      and(
        isNotNull(entries.question),
        or(and(listed(userId), isToday), and(notHidden(userId), isThisDay(today))),
      ),
    )
    .orderBy(...newestFirst)
    .limit(MAX_ANSWERS);
  const answer = rows.find((row) => row.isToday);
  const asked = (answer ?? rows[0])?.question;
  const earlier = rows.find((row) => !row.isToday && row.question === asked);
  return { question: asked ?? promptOfDay(today), answer, earlier };
}

/**
 * Returns what a day asks somebody, everywhere the same: what it has been answered with, or else what the same day asked
 * in an earlier year, or else the prompt of the day. Earlier answers that are hidden from memories aren't brought up.
 */
export async function questionOfDay(userId: string, today: CalendarDate): Promise<DayQuestion> {
  const { question, answer, earlier } = await readAnswers(userId, today);
  const words = await getHighlights(
    userId,
    [answer, earlier].flatMap((row) => row?.id ?? []),
  );
  const present = (row: typeof answer): Answer | null =>
    row
      ? {
          entry: presentSummary(row),
          question: row.question,
          words: words.get(row.id) ?? [],
          language: row.language,
        }
      : null;
  return { question, answer: present(answer), earlier: present(earlier) };
}

/**
 * Returns what an email asks on a day: the day's question, unless somebody wrote it. What people write isn't sent in emails
 * that they didn't ask to have their words in.
 */
export async function questionInEmail(
  userId: string,
  day: CalendarDate,
  connection?: Transaction,
): Promise<string> {
  const { question } = await readAnswers(userId, day, connection);
  return PROMPTS.includes(question) ? question : promptOfDay(toIso(day));
}
