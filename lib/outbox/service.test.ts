import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { startMail } from '@/local/mail/server';
import { localServices } from '@/test/services';
import { deliverOutbox, enqueueEvent, enqueueMail } from './service';

let services: Awaited<ReturnType<typeof localServices>>;
let mail: Awaited<ReturnType<typeof startMail>>;

beforeAll(async () => {
  services = await localServices();
  mail = await startMail({ dir: services.folder('mail'), apiKey: 're_test' });
  process.env.RESEND_BASE_URL = mail.url;
});
afterEach(async () => {
  services.sink.broken = false;
  services.sink.events.length = 0;
  await db().delete(outbox);
});
afterAll(async () => {
  await mail.close();
  await services.end();
});

const event = (entryId: string) => ({ name: 'entry/uploaded' as const, data: { entryId, userId: 'u' } });
const letter = { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const rows = () => db().select().from(outbox);
const makeDue = () => db().update(outbox).set({ dueAt: sql`now()` });

async function mailsIn(): Promise<{ to: string[]; subject: string }[]> {
  const response = await fetch(`${mail.url}/emails`, { headers: { authorization: 'Bearer re_test' } });
  return ((await response.json()) as { data: { to: string[]; subject: string }[] }).data;
}

describe('the outbox', () => {
  it('is rolled back with what it follows from', async () => {
    const failing = db().transaction(async (tx) => {
      await enqueueEvent(tx, 'upload-1', event('1'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
  });

  it('sends each row once, also under parallel deliveries', async () => {
    for (let n = 0; n < 20; n += 1) await enqueueEvent(db(), `upload-${n}`, event(String(n)));
    await Promise.all(Array.from({ length: 10 }, () => deliverOutbox()));
    expect(services.sink.events.map((sent) => sent.id).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `upload-${n}`).sort(),
    );
    expect(await rows()).toEqual([]);
  });

  it('takes the same event once', async () => {
    await enqueueEvent(db(), 'upload-1', event('1'));
    await enqueueEvent(db(), 'upload-1', event('1'));
    expect(await rows()).toHaveLength(1);
  });

  it('holds an event back until it is due', async () => {
    const dueAt = new Date(Date.now() + 3_600_000);
    await enqueueEvent(db(), 'upload-1', event('1'), { dueAt });
    expect(await rows()).toMatchObject([{ id: 'upload-1', dueAt }]);
    expect(await deliverOutbox()).toBe(0);
    await makeDue();
    expect(await deliverOutbox()).toBe(1);
    expect(services.sink.events).toMatchObject([{ id: 'upload-1' }]);
  });

  it('keeps what its service does not take, and sends it when that is back', async () => {
    services.sink.broken = true;
    await enqueueEvent(db(), 'upload-1', event('1'));
    expect(await deliverOutbox()).toBe(0);
    const [kept] = await rows();
    expect(kept).toMatchObject({ id: 'upload-1', attempts: 1, dead: false });
    expect(kept && kept.dueAt.getTime() > Date.now()).toBe(true);
    expect(await deliverOutbox(), 'not before it is due').toBe(0);
    services.sink.broken = false;
    await makeDue();
    expect(await deliverOutbox()).toBe(1);
    expect(services.sink.events).toMatchObject([{ id: 'upload-1', name: 'entry/uploaded' }]);
  });

  it('sends mails, of which the database shows nothing to its reader', async () => {
    await enqueueMail(db(), letter);
    const [row] = await rows();
    expect(row?.payload).not.toContain('ada@example.com');
    expect(await deliverOutbox()).toBe(1);
    expect(await mailsIn()).toMatchObject([{ to: ['ada@example.com'], subject: 'Hello' }]);
  });

  it('sends one mail for a row that is sent twice', async () => {
    const before = (await mailsIn()).length;
    await enqueueMail(db(), { ...letter, subject: 'Once' });
    const [row] = await rows();
    if (!row) throw new Error('no row');
    await deliverOutbox();
    await db().insert(outbox).values(row);
    await makeDue();
    await deliverOutbox();
    expect((await mailsIn()).length).toBe(before + 1);
  });

  it('gives up a mail that will never be taken, and keeps it for a person to see', async () => {
    await enqueueMail(db(), { ...letter, to: 'not an address' });
    await deliverOutbox();
    expect(await rows()).toMatchObject([{ dead: true }]);
    await makeDue();
    await deliverOutbox();
    expect((await db().select().from(outbox).where(eq(outbox.dead, true)))[0]?.attempts).toBe(1);
  });
});
