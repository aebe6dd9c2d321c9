import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { reminders } from '@/db/schema/reminders';
import { AppError } from '@/lib/contract/errors';
import type { Reminder } from './contract';
import { readUnsubscribeToken } from './links';
import { nextDue, type Schedule } from './next-due';

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

/** Returns whether the reminders that a link turns off are on, or null if the link isn't valid or has expired. */
export async function findLinkedReminder(token: string): Promise<boolean | null> {
  const userId = await readUnsubscribeToken(token);
  return userId === null ? null : (await getReminder(userId)).enabled;
}

/**
 * Turns reminders off by the link in one of them.
 * @throws AppError `invalid_or_expired_link`
 */
export async function unsubscribe(token: string): Promise<void> {
  const userId = await readUnsubscribeToken(token);
  if (!userId) throw new AppError('invalid_or_expired_link');
  await db().update(reminders).set({ dueAt: null }).where(eq(reminders.userId, userId));
}
