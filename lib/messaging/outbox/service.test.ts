import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { outbox } from '@/db/schema/outbox';
import { startResend } from '@/local/resend/server';
import { projectRoot } from '@/local/up/data-dir';
import { childProgram } from '@/test/child-program';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { deliverOutbox, dueKinds } from './delivery';
import { POLL_MS } from './polling';
import { enqueueEvent, enqueueMail } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let mail: Awaited<ReturnType<typeof startResend>>;
let front: Awaited<ReturnType<typeof startFront>>;

beforeAll(async () => {
  services = await startLocalServices();
  mail = await startResend({ dir: services.folder('mail'), apiKey: 're_test' });
  front = await startFront(mail.url);
  process.env.RESEND_BASE_URL = front.url;
});
afterEach(async () => {
  services.sink.broken = false;
  services.sink.events.length = 0;
  await db().delete(outbox);
});
afterAll(async () => {
  await front.close();
  await mail.close();
  await services.end();
});

/** Stands in front of the mail service, and takes what is to 'Hang' without ever answering. */
async function startFront(target: string) {
  const hanging: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key'].map((name) => [name, `${request.headers[name]}`]),
    );
    if (body.includes('"Hang"')) return void hanging.push(headers['idempotency-key'] ?? '');
    const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, hanging, close };
}

/** A process of its own that looks after the outbox. */
async function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, [await childProgram('test/outbox-process.ts')], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

const event = (entryId: string) => ({ name: 'entry/uploaded' as const, data: { entryId, userId: 'u' } });
const letter = { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const rows = () => db().select().from(outbox);
/** For what hangs, and no measure of speed. */
const WAIT = { timeout: 120_000, interval: 50 };
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

  it('finds an event in the moment when it becomes due', async () => {
    const found: unknown[] = [];
    // Time stands still in a transaction, and due times are rounded to the millisecond: half of them up, to later.
    for (let n = 0; n < 30; n += 1)
      await db().transaction(async (tx) => {
        await tx.delete(outbox);
        await enqueueEvent(tx, 'upload-1', event('1'));
        found.push(await dueKinds(tx));
      });
    expect(found).toEqual(Array.from({ length: 30 }, () => ['event']));
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

  it('sends no mail to an account that is turned off, also one that was waiting', async () => {
    const owner = await makeUser();
    await enqueueMail(db(), { ...letter, to: owner.email });
    await db().update(users).set({ disabledAt: new Date() }).where(eq(users.id, owner.id));
    await enqueueMail(db(), { ...letter, to: owner.email }, 'reset');
    await enqueueMail(db(), { ...letter, subject: 'To somebody else' });
    await deliverOutbox();
    expect(await rows()).toEqual([]);
    const sent = await mailsIn();
    expect(sent.filter(({ to }) => to.includes(owner.email))).toEqual([]);
    expect(sent.map(({ subject }) => subject)).toContain('To somebody else');
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

  it('gives up a mail whose id was another one’s', async () => {
    await enqueueMail(db(), { ...letter, subject: 'The first' });
    const [row] = await rows();
    await deliverOutbox();
    await enqueueMail(db(), { ...letter, subject: 'The second' });
    await db().update(outbox).set({ id: row?.id });
    await deliverOutbox();
    expect(await rows()).toMatchObject([{ id: row?.id, dead: true }]);
  });

  it('sends the rest while one mail hangs, and gives that one up before another may take it', async () => {
    const before = (await mailsIn()).length;
    await enqueueMail(db(), { ...letter, subject: 'Hang' });
    for (const subject of ['Second', 'Third']) await enqueueMail(db(), { ...letter, subject });
    await enqueueEvent(db(), 'upload-1', event('1'));
    const delivery = deliverOutbox();
    await vi.waitFor(async () => expect((await mailsIn()).length).toBe(before + 2), WAIT);
    await vi.waitFor(() => expect(services.sink.events).toMatchObject([{ id: 'upload-1' }]), WAIT);
    await vi.waitFor(() => expect(front.hanging).toHaveLength(1), WAIT);
    expect(await delivery).toBe(3);
    expect(await rows()).toMatchObject([{ id: front.hanging[0], attempts: 1, dead: false }]);
  });

  it('sends a mail whose server was killed, within 15 seconds of a restart', async () => {
    const before = (await mailsIn()).length;
    const stuck = await startFront('');
    await enqueueMail(db(), { ...letter, subject: 'Hang' });
    const kill = await startServer({ RESEND_BASE_URL: stuck.url });
    let killNext = kill;
    try {
      await vi.waitFor(() => expect(stuck.hanging).toHaveLength(1), WAIT);
      await kill();
      const [{ now } = { now: '' }] = await db().execute<{ now: string }>(sql`select now()`);
      const [row] = await rows();
      expect(row).toMatchObject({ id: stuck.hanging[0], attempts: 1 });
      const leftMs = (row?.dueAt.getTime() ?? Number.POSITIVE_INFINITY) - Date.parse(now);
      expect(leftMs + POLL_MS, 'the next server takes it by then').toBeLessThan(15_000);

      killNext = await startServer({ RESEND_BASE_URL: mail.url });
      await vi.waitFor(async () => expect((await mailsIn()).length).toBe(before + 1), WAIT);
      await vi.waitFor(async () => expect(await rows()).toEqual([]), WAIT);
    } finally {
      await killNext();
      await stuck.close();
    }
  });
});
