import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { outbox } from '@/db/schema/outbox';
import { reminders } from '@/db/schema/reminders';
import type { Mail } from '@/lib/clients/mail-message';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { decryptMail } from '@/lib/messaging/outbox/encrypted-mail';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { startSmtpServer } from '@/test/smtp-server';
import * as contract from './contract';
import { sendDueReminders } from './send';
import { findLinkedSubscription, getReminder, unsubscribe, updateReminder } from './service';

let server: Awaited<ReturnType<typeof startSmtpServer>>;
let end: () => Promise<void>;

beforeAll(async () => {
  server = await startSmtpServer();
  end = await useFreshDatabase({ settings: { SMTP_URL: server.url } });
});
afterAll(async () => {
  await end();
  await server.close();
});

const ZONE = 'America/New_York';
const invalidLink = expect.objectContaining({ code: 'invalid_or_expired_link' });

const rowOf = async (userId: string) =>
  (await db().select().from(reminders).where(eq(reminders.userId, userId)))[0];

/** Makes an account whose reminder has been due for a while. */
async function makeDue(minutes = 1, values: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(values);
  await updateReminder(user.id, { enabled: true, hour: 20, timeZone: ZONE });
  const dueAt = sql`now() - ${minutes} * interval '1 minute'`;
  await db().update(reminders).set({ dueAt }).where(eq(reminders.userId, user.id));
  const { dueAt: due } = (await rowOf(user.id)) ?? {};
  if (!due) throw new Error('no reminder is due');
  return { ...user, day: toIso(todayIn(ZONE, due)) };
}

/** Returns the raw emails that the mail server took for an address. */
const sentTo = (email: string) => server.mails.filter(({ raw }) => raw.includes(email)).map(({ raw }) => raw);

/** Returns the path's token in an email's header, which may be folded. */
const tokenIn = (raw: string) =>
  /List-Unsubscribe:\s*<http:\/\/localhost:3000\/api\/v1\/reminder\/unsubscribe\/([^>]+)>/.exec(raw)?.[1] ??
  '';

describe('the setting', () => {
  it('is off until it’s turned on, and keeps hour and zone when it’s turned off', async () => {
    const { id } = await makeUser();
    expect(await getReminder(id)).toEqual({ enabled: false, hour: 20, timeZone: null, nextAt: null });
    const on = await updateReminder(id, { enabled: true, hour: 7, timeZone: 'Asia/Kathmandu' });
    expect(on).toMatchObject({ enabled: true, hour: 7, timeZone: 'Asia/Kathmandu' });
    expect(on.nextAt).toMatch(/T01:15:00.000Z$/);
    expect(Date.parse(on.nextAt ?? '')).toBeGreaterThan(Date.now());
    expect(await updateReminder(id, { enabled: false, hour: 7, timeZone: 'Asia/Kathmandu' })).toEqual({
      enabled: false,
      hour: 7,
      timeZone: 'Asia/Kathmandu',
      nextAt: null,
    });
  });

  it.each(['Mars/Olympus', '+02:00', '', 'America/New_York; drop table users'])(
    'has no time zone called %j',
    (timeZone) => {
      expect(contract.updateReminder.body.safeParse({ enabled: true, hour: 20, timeZone }).success).toBe(
        false,
      );
    },
  );

  it.each(['America/New_York', 'Asia/Calcutta', 'UTC', 'Pacific/Apia'])(
    'has a time zone called %s',
    (timeZone) => {
      expect(contract.updateReminder.body.safeParse({ enabled: true, hour: 0, timeZone }).success).toBe(true);
    },
  );
});

describe('a reminder that’s due', () => {
  it('is sent once, though several sweeps run at once, and then comes on the next date', async () => {
    const { id, email, day } = await makeDue();
    await Promise.all([sendDueReminders(), sendDueReminders(), sendDueReminders()]);
    await deliverOutbox();
    const [raw = '', ...more] = sentTo(email);
    expect(more).toEqual([]);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const row = await rowOf(id);
    expect(row?.sentOn).toBe(day);
    expect(toIso(todayIn(ZONE, row?.dueAt ?? undefined)) > day).toBe(true);
    const later = await updateReminder(id, { enabled: true, hour: 23, timeZone: ZONE });
    expect(toIso(todayIn(ZONE, new Date(later.nextAt ?? ''))) > day, 'not twice on one date').toBe(true);
  });

  it.each([
    ['an unverified account', { verifiedAt: null }],
    ['an account that’s turned off', { disabledAt: new Date() }],
  ])('isn’t sent to %s', async (_, values) => {
    const { id, email } = await makeDue(1, values);
    await sendDueReminders();
    await deliverOutbox();
    expect(sentTo(email)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ sentOn: null });
    expect(Number((await rowOf(id))?.dueAt)).toBeGreaterThan(Date.now());
  });

  it('isn’t sent to an account that’s going to be deleted', async () => {
    const { id: userId, email } = await makeDue();
    await db()
      .insert(accountDeletions)
      .values({ userId, erasesAt: new Date(Date.now() + 1e8) });
    await sendDueReminders();
    await deliverOutbox();
    expect(sentTo(email)).toEqual([]);
  });

  it('isn’t sent to someone who has recorded an entry for that date, unless it’s in the trash', async () => {
    const [recorded, trashed, earlier] = [await makeDue(), await makeDue(), await makeDue()];
    await makeEntry(recorded.id, { date: recorded.day });
    await makeEntry(trashed.id, { date: trashed.day, trashedAt: new Date() });
    await makeEntry(earlier.id, { date: '2020-01-01' });
    await sendDueReminders();
    await deliverOutbox();
    expect(sentTo(recorded.email)).toHaveLength(0);
    expect(sentTo(trashed.email)).toHaveLength(1);
    expect(sentTo(earlier.email)).toHaveLength(1);
  });

  it('is left out after an outage of more than three hours', async () => {
    const [late, tooLate] = [await makeDue(170), await makeDue(190)];
    await sendDueReminders();
    await deliverOutbox();
    expect(sentTo(late.email)).toHaveLength(1);
    expect(sentTo(tooLate.email)).toHaveLength(0);
    expect(Number((await rowOf(tooLate.id))?.dueAt)).toBeGreaterThan(Date.now());
  });

  it('isn’t sent late by a mail server that was away', async () => {
    const { email } = await makeDue(170);
    server.behavior.data = 451;
    await sendDueReminders();
    server.behavior.data = undefined;
    const waiting = await db().select().from(outbox);
    const mails: Mail[] = await Promise.all(waiting.map(({ payload }) => decryptMail(payload)));
    const expiry = mails.find(({ to }) => to === email)?.expiresAt ?? '';
    expect(Date.parse(expiry) - Date.now()).toBeLessThan(10 * 60_000);
    expect(Date.parse(expiry) - Date.now()).toBeGreaterThan(9 * 60_000 - 60_000);
  });

  it('goes out with all others, batch by batch', async () => {
    await db().delete(outbox);
    const due = await Promise.all(Array.from({ length: 60 }, () => makeDue()));
    await sendDueReminders();
    expect(due.map(({ email }) => sentTo(email).length)).toEqual(due.map(() => 1));
  });
});

describe('the link in a reminder', () => {
  async function receiveToken() {
    const user = await makeDue();
    await sendDueReminders();
    await deliverOutbox();
    return { ...user, token: tokenIn(sentTo(user.email)[0] ?? '') };
  }

  it('turns reminders off, as often as it’s used, and nothing else', async () => {
    const { id, token } = await receiveToken();
    const [other, before] = [await receiveToken(), await db().select().from(users).where(eq(users.id, id))];
    expect(await findLinkedSubscription(token)).toEqual({ subscription: 'reminder', enabled: true });
    await unsubscribe(token);
    await unsubscribe(token);
    expect(await findLinkedSubscription(token)).toMatchObject({ enabled: false });
    expect(await getReminder(id)).toMatchObject({ enabled: false, hour: 20, timeZone: ZONE });
    expect(await getReminder(other.id)).toMatchObject({ enabled: true });
    expect(await db().select().from(users).where(eq(users.id, id))).toEqual(before);
  });

  it('has no effect once the account is gone', async () => {
    const { id, token } = await receiveToken();
    await db().delete(users).where(eq(users.id, id));
    expect(await rowOf(id)).toBeUndefined();
    await unsubscribe(token);
    expect(await findLinkedSubscription(token)).toMatchObject({ enabled: false });
  });

  it('has to be ours', async () => {
    const { id, token } = await receiveToken();
    const altered = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    for (const wrong of ['', 'none', id, altered]) {
      await expect(unsubscribe(wrong)).rejects.toEqual(invalidLink);
      expect(await findLinkedSubscription(wrong)).toBeNull();
    }
    expect(await getReminder(id)).toMatchObject({ enabled: true });
  });
});
