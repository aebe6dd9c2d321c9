import { and, eq, isNotNull } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { reminders, weeklyLetters } from '@/db/schema/reminders';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Reminder, WeeklyLetter } from './contract';
import { readUnsubscribeToken, type Subscription } from './links';
import { nextDue, type Schedule } from './next-due';

/** What the form offers first. */
const USUAL_HOUR = 20;

/** When letters come: on Sundays at 6:00 PM. */
export const letterSchedule = (timeZone: string): Schedule => ({ hour: 18, weekday: 0, timeZone });

type Table = typeof reminders | typeof weeklyLetters;

const ownLetter = (userId: string) => eq(weeklyLetters.userId, userId);

const presentLetter = (row: Pick<Table['$inferSelect'], 'timeZone' | 'dueAt'> | undefined): WeeklyLetter => ({
  enabled: Boolean(row?.dueAt),
  timeZone: row?.timeZone ?? null,
  nextAt: row?.dueAt?.toISOString() ?? null,
});

const presentReminder = (row: typeof reminders.$inferSelect | undefined): Reminder => ({
  ...presentLetter(row),
  hour: row?.hour ?? USUAL_HOUR,
});

/** Returns when the next email of a kind is due. Locks its row, so that one that's being sent counts. */
async function lockNextDue(tx: Transaction, table: Table, userId: string, schedule: Schedule): Promise<Date> {
  const [before] = await tx
    .select({ sentOn: table.sentOn })
    .from(table)
    .where(eq(table.userId, userId))
    .for('update');
  return nextDue(schedule, new Date(), before?.sentOn ?? null);
}

/** Returns an account's reminder. Its time zone is null until its owner has turned it on or off. */
export async function getReminder(userId: string): Promise<Reminder> {
  const [row] = await db().select().from(reminders).where(eq(reminders.userId, userId));
  return presentReminder(row);
}

/** Turns an account's reminder on or off and sets when it comes. */
export function updateReminder(
  userId: string,
  { enabled, ...schedule }: Schedule & { enabled: boolean },
): Promise<Reminder> {
  return db().transaction(async (tx) => {
    const dueAt = enabled ? await lockNextDue(tx, reminders, userId, schedule) : null;
    const [row] = await tx
      .insert(reminders)
      .values({ userId, ...schedule, dueAt })
      .onConflictDoUpdate({ target: reminders.userId, set: { ...schedule, dueAt } })
      .returning();
    return presentReminder(row);
  });
}

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
    const dueAt = enabled ? await lockNextDue(tx, weeklyLetters, userId, letterSchedule(timeZone)) : null;
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

/** Returns what a link turns off and whether that's on, or null if the link isn't valid or has expired. */
export async function findLinkedSubscription(
  token: string,
): Promise<{ subscription: Subscription; enabled: boolean } | null> {
  const linked = await readUnsubscribeToken(token);
  if (!linked) return null;
  const { userId, subscription } = linked;
  const { enabled } = await (subscription === 'letter' ? getWeeklyLetter(userId) : getReminder(userId));
  return { subscription, enabled };
}

/**
 * Turns reminders or letters off by the link in one of them.
 * @throws AppError `invalid_or_expired_link`
 */
export async function unsubscribe(token: string): Promise<void> {
  const linked = await readUnsubscribeToken(token);
  if (!linked) throw new AppError('invalid_or_expired_link');
  const table = linked.subscription === 'letter' ? weeklyLetters : reminders;
  await db().update(table).set({ dueAt: null }).where(eq(table.userId, linked.userId));
}
