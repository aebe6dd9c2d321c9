import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { reminders, weeklyLetters } from '@/db/schema/reminders';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Reminder } from './contract';
import { readUnsubscribeToken, type Subscription } from './links';
import { nextDue, type Schedule } from './next-due';
import { getWeeklyLetter } from './weekly-letter';

/** What the form offers first. */
const USUAL_HOUR = 20;

type Row = typeof reminders.$inferSelect;

const presentReminder = (row: Pick<Row, 'hour' | 'timeZone' | 'dueAt'> | undefined): Reminder => ({
  enabled: Boolean(row?.dueAt),
  hour: row?.hour ?? USUAL_HOUR,
  timeZone: row?.timeZone ?? null,
  nextAt: row?.dueAt?.toISOString() ?? null,
});

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
    const own = eq(reminders.userId, userId);
    // Locked, so that a reminder that's being sent counts.
    const [before] = await tx.select({ sentOn: reminders.sentOn }).from(reminders).where(own).for('update');
    const dueAt = enabled ? nextDue(schedule, new Date(), before?.sentOn ?? null) : null;
    const [row] = await tx
      .insert(reminders)
      .values({ userId, ...schedule, dueAt })
      .onConflictDoUpdate({ target: reminders.userId, set: { ...schedule, dueAt } })
      .returning();
    return presentReminder(row);
  });
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
