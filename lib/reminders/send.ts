import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { reminders, weeklyLetters } from '@/db/schema/reminders';
import { sendMail } from '@/lib/clients/mail';
import { log } from '@/lib/foundation/log';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { addDays, type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { questionInEmail } from '@/lib/journal/memories/questions';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { createUnsubscribeLinks } from './links';
import { letterMail, reminderMail } from './mails';
import { MAX_LATE_MS, nextDue } from './next-due';
import { letterSchedule } from './service';
import { readWeek } from './week';

/** When to leave the rest to the next sweep, in milliseconds. */
const TIME_LIMIT_MS = 40_000;

/**
 * Whether an account gets emails that it asked for: it's verified, not turned off, and not going to be deleted. For
 * statements that join `users` and, from the left, `account_deletions`.
 */
const isReachable = sql<boolean>`${users.verifiedAt} is not null and ${users.disabledAt} is null and ${accountDeletions.userId} is null`;

/** Reminders queued at once. Each batch is sent before the next is queued, so that other emails don't wait for all. */
const BATCH = 25;

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
  today: CalendarDate;
  /** The same as `YYYY-MM-DD`. */
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
    const due = locked.map((one) => {
      const today = todayIn(one.timeZone, one.dueAt);
      return { ...one, today, day: toIso(today) };
    });
    if (due.length === 0) return { due: 0, queued: 0 };
    const recorded = await findRecorded(tx, due);
    const sent = due.filter(
      ({ isReachable, dueAt, userId }) =>
        isReachable && now.getTime() - dueAt.getTime() <= MAX_LATE_MS && !recorded.has(userId),
    );
    await reschedule(tx, due, sent, now);
    for (const { userId, dueAt, email, firstName, today } of sent) {
      const expiresAt = new Date(dueAt.getTime() + MAX_LATE_MS);
      const links = await createUnsubscribeLinks(userId, 'reminder');
      const question = await questionInEmail(userId, today, tx);
      await enqueueMail(tx, await reminderMail({ email, firstName, question, expiresAt }, links));
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

/** How long one process may take to write and send a letter, in milliseconds, before another may try. */
const LEASE_MS = 60_000;

/** Leases the letter that has been due longest, so that nobody else sends it. */
function leaseNext() {
  return db().transaction(async (tx) => {
    const now = new Date();
    const isFree = or(isNull(weeklyLetters.leasedUntil), lte(weeklyLetters.leasedUntil, now));
    const [letter] = await tx
      .select({
        userId: weeklyLetters.userId,
        timeZone: weeklyLetters.timeZone,
        sentOn: weeklyLetters.sentOn,
        dueAt: weeklyLetters.dueAt,
        email: users.email,
        firstName: users.firstName,
        isReachable,
      })
      .from(weeklyLetters)
      .innerJoin(users, eq(users.id, weeklyLetters.userId))
      .leftJoin(accountDeletions, eq(accountDeletions.userId, weeklyLetters.userId))
      .where(and(lte(weeklyLetters.dueAt, now), isFree))
      .orderBy(asc(weeklyLetters.dueAt))
      .limit(1)
      .for('update', { of: weeklyLetters, skipLocked: true });
    if (!letter?.dueAt) return null;
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    await tx.update(weeklyLetters).set({ leasedUntil }).where(eq(weeklyLetters.userId, letter.userId));
    return { ...letter, dueAt: letter.dueAt, leasedUntil };
  });
}

type LeasedLetter = NonNullable<Awaited<ReturnType<typeof leaseNext>>>;

/** Ends the lease and sets when the letter is due next, unless it was turned off, or moved, meanwhile. */
async function finish({ userId, dueAt, timeZone }: LeasedLetter, sentOn: string | null): Promise<void> {
  const next = nextDue(letterSchedule(timeZone), new Date(), sentOn);
  const isUnmoved = sql`${weeklyLetters.dueAt} = ${dueAt.toISOString()}::timestamptz`;
  await db()
    .update(weeklyLetters)
    .set({
      sentOn,
      leasedUntil: null,
      dueAt: sql`case when ${isUnmoved} then ${next.toISOString()}::timestamptz else ${weeklyLetters.dueAt} end`,
    })
    .where(eq(weeklyLetters.userId, userId));
}

/**
 * Writes and sends a letter. Its text is in no job, and in no row that waits to be sent.
 * @returns the date to remember as sent; null if there's nothing to send
 * @throws Error if the mail service didn't take it
 */
async function sendLetter({ userId, dueAt, timeZone, ...letter }: LeasedLetter): Promise<string | null> {
  if (!letter.isReachable || Date.now() - dueAt.getTime() > MAX_LATE_MS) return null;
  const lastDay = todayIn(timeZone, dueAt);
  const week = await readWeek(userId, lastDay);
  if (week.quotations.length === 0) return null;
  const day = toIso(lastDay);
  const links = await createUnsubscribeLinks(userId, 'letter');
  const question = await questionInEmail(userId, addDays(lastDay, 1));
  const mail = await letterMail({ email: letter.email, firstName: letter.firstName, question }, week, links);
  // The same for every try, so that the service or the reader drops a second one.
  await sendMail(`letter-${userId}-${day}`, mail);
  return day;
}

/**
 * Sends the weekly letters that are due. Those of accounts that get no email, of weeks without words, and those more than
 * 3 hours late are left out until the next Sunday. One that the mail service doesn't take is tried again once its lease
 * has ended.
 */
export async function sendDueLetters(): Promise<void> {
  const end = Date.now() + TIME_LIMIT_MS;
  while (Date.now() < end) {
    const letter = await leaseNext();
    if (!letter) return;
    try {
      const sentOn = await sendLetter(letter);
      await finish(letter, sentOn ?? letter.sentOn);
    } catch (err) {
      const dead = err instanceof Error && 'permanent' in err && err.permanent === true;
      log[dead ? 'error' : 'warn']({ err, dead }, 'weekly letter: not sent');
      if (dead) await finish(letter, letter.sentOn);
    }
  }
}
