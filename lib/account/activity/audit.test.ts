import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditEvents } from '@/db/schema/security';
import { createRequestScope } from '@/lib/foundation/http/client-address';
import { requestScope } from '@/lib/foundation/request-scope';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { deleteOldEvents, presentEvent, recentActivity, recordAuditEvent, truncateAddress } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const scope = () =>
  createRequestScope(
    'the-request',
    new Headers({ 'x-forwarded-for': '203.0.113.77', 'user-agent': FIREFOX }),
  );

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:12:34::/64', '2001:db8:12::/48'],
  ['', ''],
])('keeps of %s only %s', (address, network) => {
  expect(truncateAddress(address)).toBe(network);
});

it('notes a change with its request in the transaction that makes it, and not when that fails', async () => {
  const userId = await addUser(`${crypto.randomUUID()}@example.com`);
  const change = (fails: boolean) =>
    requestScope.run(scope(), () =>
      db().transaction(async (tx) => {
        await recordAuditEvent('login.accepted', { userId, detail: 'google' }, tx);
        if (fails) throw new Error('undone');
      }),
    );
  await expect(change(true)).rejects.toThrow('undone');
  expect(await recentActivity(userId, 10)).toEqual([]);
  await change(false);
  const [event] = await recentActivity(userId, 10);
  if (!event) throw new Error('nothing was noted');
  expect(presentEvent(event)).toMatchObject({
    kind: 'login.accepted',
    what: 'Signed in with Google',
    device: 'Firefox on Linux',
    network: '203.0.113.0/24',
  });
  const [row] = await db().select().from(auditEvents).where(eq(auditEvents.id, event.id));
  expect(row?.requestId).toBe('the-request');
});

it('notes a refusal only once the answer is out', async () => {
  const userId = await addUser(`${crypto.randomUUID()}@example.com`);
  const request = scope();
  await requestScope.run(request, () => recordAuditEvent('login.refused', { userId }));
  expect(await recentActivity(userId, 10)).toEqual([]);
  for (const task of request.tasks) await task();
  expect(await recentActivity(userId, 10)).toMatchObject([{ kind: 'login.refused' }]);
});

it('forgets what is older than 90 days, and shows nobody what is another’s', async () => {
  const [mine, other] = [
    await addUser(`${crypto.randomUUID()}@example.com`),
    await addUser(`${crypto.randomUUID()}@example.com`),
  ];
  for (const kind of ['password.changed', 'email.changed'] as const)
    await recordAuditEvent(kind, { userId: mine });
  await recordAuditEvent('password.reset', { userId: other });
  const longAgo = new Date(Date.now() - 91 * 24 * 3600 * 1000);
  await db().update(auditEvents).set({ at: longAgo }).where(eq(auditEvents.kind, 'password.changed'));
  await deleteOldEvents();
  expect((await recentActivity(mine, 10)).map(({ kind }) => kind)).toEqual(['email.changed']);
});
