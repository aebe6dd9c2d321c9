import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { outbox } from '@/db/schema/outbox';
import { weeklyLetters } from '@/db/schema/reminders';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { updateEntry } from '@/lib/journal/entries/service';
import { addDays, type CalendarDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { useFreshDatabase } from '@/test/app-database';
import { addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { startSmtpServer } from '@/test/smtp-server';
import { letterMail } from './mails';
import { sendDueLetters } from './send';
import {
  findLinkedSubscription,
  getReminder,
  getWeeklyLetter,
  unsubscribe,
  updateReminder,
  updateWeeklyLetter,
} from './service';
import { readWeek } from './week';

let server: Awaited<ReturnType<typeof startSmtpServer>>;
let end: () => Promise<void>;
beforeAll(async () => {
  server = await startSmtpServer();
  end = await useFreshDatabase({ settings: { SMTP_URL: server.url } });
});
afterEach(async () => {
  server.behavior.data = undefined;
  await db().update(weeklyLetters).set({ dueAt: null });
});
afterAll(async () => {
  await end();
  await server.close();
});

const ZONE = 'America/New_York';
const SENTENCES = [
  'I buried the bulbs anyway in the deep snow.',
  'My sister called from the harbor and we laughed for an hour.',
  'I finally finished the long letter to my grandmother.',
  'um so like the thing and um the other thing you know',
];

const rowOf = async (userId: string) =>
  (await db().select().from(weeklyLetters).where(eq(weeklyLetters.userId, userId)))[0];

async function makeSpoken(userId: string, date: string, text: string) {
  const entry = await makeEntry(userId, { date, durationMs: 135_000 });
  await addTranscript(entry.id, text);
  return entry;
}

/** Makes an account whose letter has been due for a while, and says which day its week ends on. */
async function makeDue(minutes = 1, values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(values);
  await updateWeeklyLetter(user.id, { enabled: true, timeZone: ZONE });
  const due = new Date(Date.now() - minutes * 60_000);
  await db().update(weeklyLetters).set({ dueAt: due }).where(eq(weeklyLetters.userId, user.id));
  return { ...user, lastDay: todayIn(ZONE, due) };
}

async function makeWeek(minutes = 1, values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeDue(minutes, values);
  const entry = await makeSpoken(user.id, toIso(addDays(user.lastDay, -2)), SENTENCES[0] ?? '');
  return { ...user, entry };
}

const sentTo = (email: string) => server.mails.filter(({ raw }) => raw.includes(email)).map(({ raw }) => raw);
const unfolded = (raw: string) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');

describe('the setting', () => {
  it('is off until it’s turned on, for Sundays at 6:00 PM where the person is', async () => {
    const { id } = await makeUser();
    expect(await getWeeklyLetter(id)).toEqual({ enabled: false, timeZone: null, nextAt: null });
    const { nextAt } = await updateWeeklyLetter(id, { enabled: true, timeZone: 'Asia/Kathmandu' });
    expect(nextAt).toMatch(/T12:15:00.000Z$/);
    expect(new Date(nextAt ?? '').getUTCDay()).toBe(0);
    const off = await updateWeeklyLetter(id, { enabled: false, timeZone: 'Asia/Kathmandu' });
    expect(off).toEqual({ enabled: false, timeZone: 'Asia/Kathmandu', nextAt: null });
  });
});

describe('the letter', () => {
  const lastDay: CalendarDate = { year: 2026, month: 11, day: 22 };

  it('has the best sentence of up to three entries of its seven days, in order', async () => {
    const { id } = await makeUser();
    const stranger = await makeUser();
    const days = ['2026-11-16', '2026-11-18', '2026-11-18', '2026-11-22'];
    for (const [index, day] of days.entries()) await makeSpoken(id, day, SENTENCES[index] ?? '');
    await makeSpoken(id, '2026-11-15', 'I want to have written about the mountain cabin today.');
    await makeSpoken(id, '2026-11-23', 'I want to have written about the mountain cabin today.');
    await makeSpoken(stranger.id, '2026-11-18', 'I want to have written about the mountain cabin today.');
    const week = await readWeek(id, lastDay);
    expect(week).toMatchObject({ entries: 4, seconds: 540 });
    expect(week.quotations.map(({ text }) => text)).toEqual(SENTENCES.slice(0, 3));
  });

  it('names days, links to moments, and asks a question, as text and as HTML', async () => {
    const { id, email } = await makeUser();
    const entry = await makeSpoken(id, '2026-11-18', `Hi there. ${SENTENCES[0]}`);
    const links = { page: 'https://off.example/page', oneClick: 'https://off.example/now' };
    const week = await readWeek(id, lastDay);
    const asked = 'What made you laugh?';
    const mail = await letterMail({ email, firstName: 'Ada', question: asked }, week, links);
    expect(mail.subject).toBe('Your week in one sentence');
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Wednesday');
      expect(body).toContain('I buried the bulbs anyway');
      expect(body).toContain(`/entry/${entry.id}?t=2`);
      expect(body).toContain(`A question for next week: ${asked}`);
      expect(body).toContain('https://off.example/page');
    }
    expect(mail.text).toContain('You recorded one entry this week, 2 min 15 s in all.');
    expect(mail.headers?.['List-Unsubscribe']).toBe('<https://off.example/now>');
  });

  it('says which question a sentence answers', async () => {
    const { id, email } = await makeUser();
    const entry = await makeSpoken(id, '2026-11-18', SENTENCES[0] ?? '');
    await updateEntry(id, entry.id, { question: 'What did you plant?' });
    const links = { page: 'https://off.example/page', oneClick: 'https://off.example/now' };
    const week = await readWeek(id, lastDay);
    const mail = await letterMail({ email, firstName: 'Ada', question: 'What made you laugh?' }, week, links);
    for (const body of [mail.text, mail.html]) expect(body).toContain('Wednesday · What did you plant?');
  });

  it('quotes markup as text', async () => {
    const { id, email } = await makeUser();
    await makeSpoken(id, '2026-11-18', 'I said <img src=x onerror=alert(1)> to my whole family yesterday.');
    const week = await readWeek(id, lastDay);
    const mail = await letterMail({ email, firstName: 'Ada', question: 'What made you laugh?' }, week, {
      page: 'a',
      oneClick: 'b',
    });
    expect(mail.html).not.toContain('<img src=x');
    expect(mail.html).toContain('&lt;img src=x');
  });
});

describe('a letter that’s due', () => {
  it('is sent once, though several sweeps run at once, and waits in no outbox', async () => {
    const { id, email, lastDay, entry } = await makeWeek();
    await Promise.all([sendDueLetters(), sendDueLetters(), sendDueLetters()]);
    await sendDueLetters();
    const [raw = '', ...more] = sentTo(email);
    expect(more).toEqual([]);
    expect(unfolded(raw)).toContain(`/entry/${entry.id}?t=0`);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(await db().$count(outbox)).toBe(0);
    const row = await rowOf(id);
    expect(row).toMatchObject({ sentOn: toIso(lastDay), leasedUntil: null });
    expect(row?.dueAt?.getTime()).toBeGreaterThan(Date.now());
    const { nextAt } = await updateWeeklyLetter(id, { enabled: true, timeZone: 'Pacific/Pago_Pago' });
    expect(toIso(todayIn('Pacific/Pago_Pago', new Date(nextAt ?? ''))) > toIso(lastDay)).toBe(true);
  });

  it('has the same id when it’s tried again, after its lease', async () => {
    const { id, email, lastDay } = await makeWeek();
    server.behavior.data = 451;
    await sendDueLetters();
    server.behavior.data = undefined;
    await sendDueLetters();
    expect((await rowOf(id))?.sentOn).toBeNull();
    await db().update(weeklyLetters).set({ leasedUntil: new Date() }).where(eq(weeklyLetters.userId, id));
    await sendDueLetters();
    const tries = sentTo(email);
    expect(tries.length).toBeGreaterThan(0);
    for (const raw of tries) expect(raw).toContain(`<letter-${id}-${toIso(lastDay)}@`);
    expect((await rowOf(id))?.sentOn).toBe(toIso(lastDay));
  });

  it('isn’t tried again if the mail server refuses it permanently', async () => {
    const { id } = await makeWeek();
    server.behavior.data = 554;
    await sendDueLetters();
    expect((await rowOf(id))?.dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it.each([
    ['an unverified account', { verifiedAt: null }, 1],
    ['an account that’s turned off', { disabledAt: new Date() }, 1],
    ['anyone more than three hours late', {}, 190],
  ])('isn’t sent to %s', async (_, values, minutes) => {
    const { id, email } = await makeWeek(minutes, values);
    await sendDueLetters();
    expect(sentTo(email)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ sentOn: null });
    expect((await rowOf(id))?.dueAt?.getTime()).toBeGreaterThan(Date.now());
  });

  it('isn’t sent to an account that’s going to be deleted', async () => {
    const { id: userId, email } = await makeWeek();
    await db()
      .insert(accountDeletions)
      .values({ userId, erasesAt: new Date(Date.now() + 1e8) });
    await sendDueLetters();
    expect(sentTo(email)).toEqual([]);
  });

  it('isn’t sent for a week in which nobody spoke', async () => {
    const { id, email, lastDay } = await makeDue();
    await makeEntry(id, { date: toIso(lastDay) });
    await makeSpoken(id, toIso(addDays(lastDay, -7)), SENTENCES[0] ?? '');
    await sendDueLetters();
    expect(sentTo(email)).toEqual([]);
    expect((await rowOf(id))?.dueAt?.getTime()).toBeGreaterThan(Date.now());
  });
});

describe('the link in a letter', () => {
  it('turns letters off, and not reminders', async () => {
    const { id, email } = await makeWeek();
    await updateReminder(id, { enabled: true, hour: 20, timeZone: ZONE });
    await sendDueLetters();
    const [, token = ''] =
      /List-Unsubscribe:\s*<\S+\/reminder\/unsubscribe\/([^>]+)>/.exec(sentTo(email)[0] ?? '') ?? [];
    expect(await findLinkedSubscription(token)).toEqual({ subscription: 'letter', enabled: true });
    await unsubscribe(token);
    await unsubscribe(token);
    expect(await findLinkedSubscription(token)).toEqual({ subscription: 'letter', enabled: false });
    expect(await getWeeklyLetter(id)).toMatchObject({ enabled: false, timeZone: ZONE });
    expect(await getReminder(id)).toMatchObject({ enabled: true });
    await db().delete(users).where(eq(users.id, id));
    expect(await rowOf(id)).toBeUndefined();
  });
});
