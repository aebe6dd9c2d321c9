import { and, eq, isNotNull } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { weeklyLetters } from '@/db/schema/reminders';
import type { WeeklyLetter } from './contract';
import { nextDue, type Schedule } from './next-due';

/** When letters come: on Sundays at 6:00 PM. */
export const letterSchedule = (timeZone: string): Schedule => ({ hour: 18, weekday: 0, timeZone });

type Row = typeof weeklyLetters.$inferSelect;

const presentLetter = (row: Pick<Row, 'timeZone' | 'dueAt'> | undefined): WeeklyLetter => ({
  enabled: Boolean(row?.dueAt),
  timeZone: row?.timeZone ?? null,
  nextAt: row?.dueAt?.toISOString() ?? null,
});

const ownLetter = (userId: string) => eq(weeklyLetters.userId, userId);

/** Returns an account's weekly letter. Its time zone is null until its owner has turned it on or off. */
export async function getWeeklyLetter(userId: string): Promise<WeeklyLetter> {
  const [row] = await db().select().from(weeklyLetters).where(ownLetter(userId));
  return presentLetter(row);
}

/** Turns an account's weekly letter on or off. */
export function updateWeeklyLetter(
  userId: string,
  { enabled, timeZone }: { enabled: boolean; timeZone: string },
): Promise<WeeklyLetter> {
  return db().transaction(async (tx) => {
    // Locked, so that a letter that's being sent counts.
    const [before] = await tx
      .select({ sentOn: weeklyLetters.sentOn })
      .from(weeklyLetters)
      .where(ownLetter(userId))
      .for('update');
    const dueAt = enabled ? nextDue(letterSchedule(timeZone), new Date(), before?.sentOn ?? null) : null;
    const [row] = await tx
      .insert(weeklyLetters)
      .values({ userId, timeZone, dueAt })
      .onConflictDoUpdate({ target: weeklyLetters.userId, set: { timeZone, dueAt } })
      .returning();
    return presentLetter(row);
  });
}

/** Moves an account's weekly letter, if it's on, to a time zone. */
export async function moveWeeklyLetter(tx: Transaction, userId: string, timeZone: string): Promise<void> {
  const isOn = and(ownLetter(userId), isNotNull(weeklyLetters.dueAt));
  const [letter] = await tx.select().from(weeklyLetters).where(isOn).for('update');
  if (!letter || letter.timeZone === timeZone) return;
  const dueAt = nextDue(letterSchedule(timeZone), new Date(), letter.sentOn);
  await tx.update(weeklyLetters).set({ timeZone, dueAt }).where(isOn);
}
