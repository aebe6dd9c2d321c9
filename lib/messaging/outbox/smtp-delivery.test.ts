import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { SMTP_TIMEOUT_MS } from '@/lib/clients/smtp';
import { useFreshDatabase } from '@/test/app-database';
import { startSmtpServer } from '@/test/smtp-server';
import { deliverOutbox } from './delivery';
import { enqueueMail } from './service';

let server: Awaited<ReturnType<typeof startSmtpServer>>;
let end: () => Promise<void>;

beforeAll(async () => {
  server = await startSmtpServer();
  end = await useFreshDatabase({ settings: { SMTP_URL: server.url, RESEND_BASE_URL: 'http://127.0.0.1:9' } });
});
afterAll(async () => {
  await end();
  await server.close();
});

const letter = { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const rows = () => db().select().from(outbox);

/** For what hangs, and no measure of speed. */
const WAIT = { timeout: 60_000, interval: 20 };

it('leaves a mail with its sender for as long as a slow mail server may take', async () => {
  let answer = () => {};
  server.behavior.wait = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await enqueueMail(db(), letter);
  const delivery = deliverOutbox();
  await vi.waitFor(() => expect(server.mails).toHaveLength(1), WAIT);
  const [row] = await rows();
  const leasedMs = Number(row?.dueAt) - Number(row?.createdAt);
  expect(leasedMs).toBeGreaterThan(SMTP_TIMEOUT_MS);
  expect(await deliverOutbox(), 'nobody else sends it meanwhile').toBe(0);
  answer();
  expect(await delivery).toBe(1);
  expect(server.mails).toHaveLength(1);
  expect(await rows()).toEqual([]);
});

it('repeats a mail that wasn’t taken with the same Message-ID, and gives up one that never will be', async () => {
  server.mails.length = 0;
  server.behavior.data = 451;
  await enqueueMail(db(), letter);
  const [row] = await rows();
  expect(await deliverOutbox()).toBe(0);
  expect(await rows()).toMatchObject([{ attempts: 1, dead: false }]);
  server.behavior.data = undefined;
  await db().update(outbox).set({ dueAt: sql`now()` });
  expect(await deliverOutbox()).toBe(1);
  const ids = server.mails.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1]);
  expect(ids).toEqual([`<${row?.id}@daylight.test>`, `<${row?.id}@daylight.test>`]);

  server.behavior.recipient = 550;
  await enqueueMail(db(), letter);
  await deliverOutbox();
  expect(await rows()).toMatchObject([{ dead: true }]);
});

it('drops a mail once it’s too late to send it', async () => {
  server.mails.length = 0;
  server.behavior.recipient = undefined;
  await db().delete(outbox);
  await enqueueMail(db(), { ...letter, expiresAt: new Date(Date.now() - 1000).toISOString() });
  await enqueueMail(db(), { ...letter, expiresAt: new Date(Date.now() + 60_000).toISOString() });
  await deliverOutbox();
  expect(server.mails).toHaveLength(1);
  expect(await rows()).toEqual([]);
});
