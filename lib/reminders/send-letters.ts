import { and, asc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { weeklyLetters } from '@/db/schema/reminders';
import { sendMail } from '@/lib/clients/mail';
import { log } from '@/lib/foundation/log';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { letterMail } from './letter-mail';
import { createUnsubscribeLinks } from './links';
import { MAX_LATE_MS, nextDue } from './next-due';
import { isReachable } from './reachable';
import { readWeek } from './week';
import { letterSchedule } from './weekly-letter';

/** How long one process may take to write and send a letter, in milliseconds, before another may try. */
const LEASE_MS = 60_000;
/** When to leave the rest to the next sweep, in milliseconds. */
const TIME_LIMIT_MS = 40_000;

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
async function finish({ userId, dueAt, ...letter }: LeasedLetter, sentOn: string | null): Promise<void> {
  const own = eq(weeklyLetters.userId, userId);
  await db().update(weeklyLetters).set({ sentOn, leasedUntil: null }).where(own);
  await db()
    .update(weeklyLetters)
    .set({ dueAt: nextDue(letterSchedule(letter.timeZone), new Date(), sentOn) })
    .where(and(own, isNotNull(weeklyLetters.dueAt), eq(weeklyLetters.dueAt, dueAt)));
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
  const mail = await letterMail({ email: letter.email, firstName: letter.firstName, day }, week, links);
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
