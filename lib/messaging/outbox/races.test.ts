import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { outbox } from '@/db/schema/outbox';
import { type HttpServer, startHttpServer } from '@/test/leaks/proxy';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';
import { sendDue } from './delivery';
import { enqueueEvent, enqueueMail } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let mailService: HttpServer;
/** What happens while the mail service answers, before it says that it failed. */
let meanwhile: () => Promise<unknown>;

beforeAll(async () => {
  services = await startLocalServices();
  mailService = await startHttpServer(async (_request, _body, response) => {
    await meanwhile();
    response.writeHead(500).end('{}');
  });
  process.env.RESEND_BASE_URL = mailService.url;
});
beforeEach(async () => {
  await db().delete(outbox);
});
afterAll(async () => {
  await mailService.close();
  await services.end();
});

const event = (entryId: string) => ({ name: 'entry/uploaded' as const, data: { entryId, userId: 'u' } });
const rows = () => db().select().from(outbox);

it('a row that another sender is leasing is left to it, and the next one is sent', async () => {
  for (const [id, minutes] of [
    ['first', 2],
    ['second', 1],
  ] as const) {
    await enqueueEvent(db(), id, event(id), { dueAt: new Date(Date.now() - minutes * 60_000) });
  }
  const before = await db().select().from(outbox).where(eq(outbox.id, 'first'));
  const sent = await duringTransaction(
    (tx) => tx.select().from(outbox).where(eq(outbox.id, 'first')).for('update'),
    () => sendDue('event'),
  );
  expect(sent).toEqual({ waited: false, outcome: { status: 'fulfilled', value: 1 } });
  expect(services.sink.events).toMatchObject([{ id: 'second' }]);
  expect(await rows()).toEqual(before);
});

it('a sender whose lease has ended doesn’t change the row of the next one', async () => {
  await enqueueMail(db(), { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' });
  const leased = { attempts: 2, dueAt: new Date(Date.now() + 3_600_000) };
  meanwhile = () => db().update(outbox).set(leased);
  expect(await sendDue('mail')).toBe(0);
  expect(await rows()).toMatchObject([{ ...leased, dead: false }]);
});
