import { asc, eq, lte, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { reminders } from '@/db/schema/reminders';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { createUnsubscribeLinks } from './links';
import { reminderMail } from './mails';
import { MAX_LATE_MS, nextDue } from './next-due';
import { isReachable } from './reachable';

/** Reminders queued at once. Each batch is sent before the next is queued, so that other emails don't wait for all. */
const BATCH = 25;
/** When to leave the rest to the next sweep, in milliseconds. */
const TIME_LIMIT_MS = 40_000;

/** Locks reminders that are due, longest due first, without those that another process has locked. */
function lockDue(tx: Transaction, now: Date) {
  return tx
    .select({
      userId: reminders.userId,
      hour: reminders.hour,
      timeZone: reminders.timeZone,
      sentOn: reminders.sentOn,
      dueAt: sql<Date>`${reminders.dueAt}`.mapWith(reminders.dueAt),
      email: users.email,
      firstName: users.firstName,
      isReachable,
    })
    .from(reminders)
    .innerJoin(users, eq(users.id, reminders.userId))
    .leftJoin(accountDeletions, eq(accountDeletions.userId, reminders.userId))
    .where(lte(reminders.dueAt, now))
    .orderBy(asc(reminders.dueAt))
    .limit(BATCH)
    .for('update', { of: reminders, skipLocked: true });
}

type DueReminder = Awaited<ReturnType<typeof lockDue>>[number] & {
  /** The date it's due on, where its owner is. */
  day: string;
};

/** Returns those of these owners who have an entry for their reminder's date. */
async function findRecorded(tx: Transaction, due: readonly DueReminder[]): Promise<Set<string>> {
  const asked = due.map(({ userId, day }) => ({ owner: userId, day }));
  const rows = await tx.execute<{ owner: string }>(sql`
    select owner from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as asked (owner uuid, day date)
    where exists (select from entries where user_id = owner and date = day and trashed_at is null)`);
  return new Set(rows.map(({ owner }) => owner));
}

/** Moves reminders to when they're due next, and notes the date of those that are sent. */
async function reschedule(
  tx: Transaction,
  due: readonly DueReminder[],
  sent: readonly DueReminder[],
  now: Date,
): Promise<void> {
  const rows = due.map((one) => {
    const sentOn = sent.includes(one) ? one.day : one.sentOn;
    return { owner: one.userId, sent_on: sentOn, due_at: nextDue(one, now, sentOn) };
  });
  await tx.execute(sql`
    update reminders set due_at = next.due_at, sent_on = next.sent_on
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as next (owner uuid, sent_on date, due_at timestamptz)
    where user_id = owner`);
}

/** Queues the emails of one batch and sets when their reminders are due next, in one transaction. */
function queueBatch(): Promise<{ due: number; queued: number }> {
  return db().transaction(async (tx) => {
    const now = new Date();
    const locked = await lockDue(tx, now);
    const due = locked.map((one) => ({ ...one, day: toIso(todayIn(one.timeZone, one.dueAt)) }));
    if (due.length === 0) return { due: 0, queued: 0 };
    const recorded = await findRecorded(tx, due);
    const sent = due.filter(
      ({ isReachable, dueAt, userId }) =>
        isReachable && now.getTime() - dueAt.getTime() <= MAX_LATE_MS && !recorded.has(userId),
    );
    await reschedule(tx, due, sent, now);
    for (const { userId, dueAt, ...to } of sent) {
      const expiresAt = new Date(dueAt.getTime() + MAX_LATE_MS);
      const links = await createUnsubscribeLinks(userId, 'reminder');
      await enqueueMail(tx, await reminderMail({ ...to, expiresAt }, links));
    }
    return { due: due.length, queued: sent.length };
  });
}

/**
 * Sends the reminders that are due. Those of accounts that get no email, of people who have recorded an entry for that
 * date, and those more than 3 hours late are left out until they're due next. Stops early if no email can be sent.
 */
export async function sendDueReminders(): Promise<void> {
  const end = Date.now() + TIME_LIMIT_MS;
  while (Date.now() < end) {
    const { due, queued } = await queueBatch();
    if (due === 0) return;
    if (queued > 0 && (await deliverOutbox()) === 0) return;
  }
}
