import { newAccountDetails } from '@/e2e/accounts';
import { createClient } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import { login, register, requestReset } from '@/lib/account/registration/contract';
import { expectError } from './response-assertions';

const wrongCredentials = () => ({
  body: { email: newAccountDetails().email, password: 'not the right one' },
});

test('a client that floods sign-ins is told to come back, and everyone else signs in meanwhile', async ({
  app,
  account,
}) => {
  const flooding = createClient(app.url);
  const statuses: number[] = [];
  const waits: number[] = [];
  /** The first few in full: there may be tens of thousands, all alike. */
  const shed: Response[] = [];
  let over = false;
  const floods = Array.from({ length: 100 }, async () => {
    do {
      const answer = await flooding.sendOperation(login, wrongCredentials());
      statuses.push(answer.status);
      if (answer.status === 429 || answer.status === 503) {
        waits.push(Number(answer.headers.get('retry-after')));
        if (shed.length < 20) shed.push(answer.clone());
      }
      await answer.text();
    } while (!over);
  });
  // The flood goes on until somebody else has signed in.
  await expect.poll(() => shed.length).toBeGreaterThan(0);
  const { email, password } = account;
  await createClient(app.url).call(login, { body: { email, password } });
  over = true;
  await Promise.all(floods);
  expect(waits.filter((seconds) => !(seconds > 0))).toEqual([]);
  // Its own network has too much going on, or the process has.
  for (const answer of shed)
    await expectError(answer, answer.status === 429 ? 'rate_limited' : 'unavailable');
  expect([...new Set(statuses)].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(100);
});

test('one client opens 30 accounts an hour and asks for 60 resets, and no more', async ({ app }) => {
  for (const [operation, limit, body] of [
    [register, 30, newAccountDetails],
    [requestReset, 60, () => ({ email: newAccountDetails().email })],
  ] as const) {
    const client = createClient(app.url);
    for (let count = 0; count < limit; count += 1) await client.call(operation, { body: body() });
    const refused = await client.sendOperation(operation, { body: body() });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectError(refused, 'rate_limited');
    await createClient(app.url).call(operation, { body: body() });
  }
});

test('an address gets five reset mails, and an answer like any other to the sixth request', async ({
  app,
  account,
  mailbox,
}) => {
  const { email } = account;
  for (let count = 0; count < 7; count += 1) {
    await createClient(app.url).call(requestReset, { body: { email } });
  }
  const resets = async () => (await mailbox.all(email)).filter(({ subject }) => /new password/.test(subject));
  await expect.poll(async () => (await resets()).length).toBe(5);
  // A later mail is in the box once everything before it is.
  await createClient(app.url).call(register, { body: { ...newAccountDetails(), email } });
  await mailbox.wait(email, /already have an account/);
  expect(await resets()).toHaveLength(5);
});
