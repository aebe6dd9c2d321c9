import { and, eq, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { AppError } from '@/lib/foundation/contract/errors';
import { changeLocked, lockEntries } from '@/lib/journal/entries/change-entries';
import { listed } from '@/lib/journal/entries/queries';
import {
  addDays,
  type CalendarDate,
  isWithinPast100Years,
  latestToday,
  readDate,
  toIso,
} from '@/lib/journal/entries/shared/calendar';

interface ChangedDate {
  id: string;
  before: CalendarDate;
  after: CalendarDate;
}

/** Writes dates (`YYYY-MM-DD`) of entries that are locked, in one statement. */
async function writeDates(
  tx: Transaction,
  userId: string,
  dates: { id: string; date: string }[],
): Promise<void> {
  const ids = dates.map(({ id }) => id);
  const given = sql`jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) as given (id uuid, date date)`;
  await changeLocked(tx, userId, ids, () =>
    tx
      .update(entries)
      .set({ date: sql`given.date` })
      .from(given)
      .where(and(sql`${entries.id} = given.id`, eq(entries.userId, userId))),
  );
}

/**
 * Gives entries one date, or moves each by a number of days, all or none.
 * @returns every date before and after
 * @throws AppError `not_found`, or `validation_failed` if a date would be out of range
 */
export async function changeDates(
  userId: string,
  ids: string[],
  to: { date?: CalendarDate | undefined; days?: number | undefined },
): Promise<ChangedDate[]> {
  return db().transaction(async (tx) => {
    const locked = await lockEntries(tx, ids, listed(userId));
    const dates = locked.map(({ id, date }) => {
      const before = readDate(date);
      return { id, before, after: to.date ?? addDays(before, to.days ?? 0) };
    });
    const today = latestToday();
    if (dates.some(({ after }) => !isWithinPast100Years(after, today))) {
      const days = 'Every date must stay in the past 100 years.';
      throw new AppError('validation_failed', { message: days, fields: { days } });
    }
    await writeDates(
      tx,
      userId,
      dates.map(({ id, after }) => ({ id, date: toIso(after) })),
    );
    return dates;
  });
}

/**
 * Gives entries the dates back that they had before {@link changeDates}, all or none.
 * @throws AppError `not_found`, or `conflict` if a date was changed since
 */
export async function undoDates(userId: string, dates: ChangedDate[]): Promise<void> {
  await db().transaction(async (tx) => {
    const ids = dates.map(({ id }) => id);
    const now = new Map((await lockEntries(tx, ids, listed(userId))).map(({ id, date }) => [id, date]));
    if (dates.some(({ id, after }) => now.get(id) !== toIso(after))) {
      throw new AppError('conflict', {
        message: 'We couldn’t undo this, because some of these dates have changed since then.',
      });
    }
    await writeDates(
      tx,
      userId,
      dates.map(({ id, before }) => ({ id, date: toIso(before) })),
    );
  });
}
