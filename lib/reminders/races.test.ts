import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { reminders, weeklyLetters } from '@/db/schema/reminders';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { addDays, toIso } from '@/lib/journal/entries/shared/calendar';
import { useFreshDatabase } from '@/test/app-database';
import { addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { startSmtpServer } from '@/test/smtp-server';
import { sendDueLetters, sendDueReminders } from './send';
import { moveWeeklyLetter, updateReminder, updateWeeklyLetter } from './service';

let server: Awaited<ReturnType<typeof startSmtpServer>>;
let end: () => Promise<void>;
beforeAll(async () => {
  server = await startSmtpServer();
  end = await useFreshDatabase({ settings: { SMTP_URL: server.url } });
});
beforeEach(async () => {
  for (const table of [outbox, reminders, weeklyLetters]) await db().delete(table);
});
afterAll(async () => {
  await end();
  await server.close();
});

const ZONE = 'America/New_York';
/** Later than anything that's due next without it, so that the time of day doesn't matter. */
const SENT_ON = toIso(addDays(todayIn(ZONE), 20));
const due = { dueAt: sql`now() - interval '1 minute'` };

const reminderOf = (userId: string) => eq(reminders.userId, userId);
const letterOf = (userId: string) => eq(weeklyLetters.userId, userId);
const letterRow = async (userId: string) =>
  (await db().select().from(weeklyLetters).where(letterOf(userId)))[0];
const countSentTo = (email: string) => server.mails.filter(({ raw }) => raw.includes(email)).length;
const fulfilled = (waited: boolean) => ({ waited, outcome: { status: 'fulfilled' } });

/** Makes an account with a reminder and a letter that are due. */
async function makeDue() {
  const user = await makeUser();
  await updateReminder(user.id, { enabled: true, hour: 20, timeZone: ZONE });
  await updateWeeklyLetter(user.id, { enabled: true, timeZone: ZONE });
  await db().update(reminders).set(due).where(reminderOf(user.id));
  await db().update(weeklyLetters).set(due).where(letterOf(user.id));
  const entry = await makeEntry(user.id, { date: toIso(addDays(todayIn(ZONE), -2)) });
  await addTranscript(entry.id, 'I buried the bulbs anyway in the deep snow.');
  return user;
}

describe('a setting that’s changed while an email is being sent', () => {
  it('brings no second reminder on the same date', async () => {
    const { id } = await makeDue();
    const changed = await duringTransaction(
      (tx) => tx.update(reminders).set({ sentOn: SENT_ON }).where(reminderOf(id)),
      () => updateReminder(id, { enabled: true, hour: 23, timeZone: ZONE }),
    );
    expect(changed).toMatchObject(fulfilled(true));
    const [row] = await db().select().from(reminders).where(reminderOf(id));
    expect(toIso(todayIn(ZONE, row?.dueAt ?? new Date())) > SENT_ON).toBe(true);
  });

  it('brings no second letter when its time zone changes', async () => {
    const { id } = await makeDue();
    const changed = await duringTransaction(
      (tx) => tx.update(weeklyLetters).set({ sentOn: SENT_ON }).where(letterOf(id)),
      () => db().transaction((tx) => moveWeeklyLetter(tx, id, 'Pacific/Pago_Pago')),
    );
    expect(changed).toEqual(fulfilled(true));
    const row = await letterRow(id);
    expect(row?.timeZone).toBe('Pacific/Pago_Pago');
    expect(toIso(todayIn('Pacific/Pago_Pago', row?.dueAt ?? new Date())) > SENT_ON).toBe(true);
  });
});

describe('a sweep', () => {
  it('leaves a reminder to the process that’s sending it, and sends the others', async () => {
    const [held, other] = [await makeDue(), await makeDue()];
    const [before] = await db().select().from(reminders).where(reminderOf(held.id));
    const sweep = await duringTransaction(
      (tx) => tx.select().from(reminders).where(reminderOf(held.id)).for('update'),
      sendDueReminders,
    );
    expect(sweep).toEqual(fulfilled(false));
    expect([countSentTo(held.email), countSentTo(other.email)]).toEqual([0, 1]);
    expect(await db().select().from(reminders).where(reminderOf(held.id))).toEqual([before]);
  });

  it('leaves a letter to the process that’s leasing it, and sends the others', async () => {
    const [held, other] = [await makeDue(), await makeDue()];
    const before = await letterRow(held.id);
    const sweep = await duringTransaction(
      (tx) => tx.select().from(weeklyLetters).where(letterOf(held.id)).for('update'),
      sendDueLetters,
    );
    expect(sweep).toEqual(fulfilled(false));
    expect([countSentTo(held.email), countSentTo(other.email)]).toEqual([0, 1]);
    expect(await letterRow(held.id)).toEqual(before);
  });

  it('changes nothing of a letter that another process has leased', async () => {
    const { id, email } = await makeDue();
    const leasedUntil = sql`now() + interval '1 minute'`;
    await db().update(weeklyLetters).set({ leasedUntil }).where(letterOf(id));
    const before = await letterRow(id);
    await sendDueLetters();
    expect(countSentTo(email)).toBe(0);
    expect(await letterRow(id)).toEqual(before);
  });
});

it('letters that are turned off while one is being sent stay off', async () => {
  const { id, email } = await makeDue();
  const sweep = await duringTransaction(
    // Its sender has to wait for the words of the week, after it has leased the letter.
    (tx) => tx.execute(sql`lock table entries in access exclusive mode`),
    sendDueLetters,
    { finish: (tx) => tx.update(weeklyLetters).set({ dueAt: null }).where(letterOf(id)) },
  );
  expect(sweep).toEqual(fulfilled(true));
  expect(countSentTo(email)).toBe(1);
  expect(await letterRow(id)).toMatchObject({ dueAt: null, leasedUntil: null });
});
