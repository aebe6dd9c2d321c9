import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAccountDetails } from '@/e2e/accounts';
import { type Client, createClient, newIpAddress, sendUntilServed } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import { updateProfile } from '@/lib/account/profile/contract';
import {
  checkAccountStatus,
  login,
  register,
  requestReset,
  resendVerificationEmail,
  resetPassword,
  verifyEmail,
} from '@/lib/account/registration/contract';
import { changePassword } from '@/lib/account/security/contract';
import { logout, refreshSession } from '@/lib/account/sessions/contract';
import { expectError } from './response-assertions';

const wrongCredentials = (email: string) => ({ body: { email, password: 'not the right one' } });
const statusCodes = (answers: Response[]) => answers.map((answer) => answer.status);
const repeatInParallel = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test('of 200 parallel bad logins ten are evaluated, and the owner elsewhere gets in', async ({
  app,
  account,
}) => {
  const stranger = createClient(app.url);
  const answers = await repeatInParallel(200, () =>
    stranger.sendOperation(login, wrongCredentials(account.email)),
  );
  expect(statusCodes(answers).filter((status) => status === 401)).toHaveLength(10);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused).toHaveLength(190);
  for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const { email, password } = account;
  await expectError(await stranger.sendOperation(login, { body: { email, password } }), 'rate_limited');
  await createClient(app.url).call(login, { body: { email, password } });
});

test('a client gains nothing by naming other clients before itself', async ({ anonymous, account }) => {
  const itself = newIpAddress();
  const answers = await repeatInParallel(30, (index) =>
    anonymous.sendOperation(login, wrongCredentials(account.email), {
      'x-forwarded-for': `198.51.100.${index}, ${itself}`,
    }),
  );
  expect(statusCodes(answers).filter((status) => status === 401)).toHaveLength(10);
});

test('signup, reset and resend are limited too', async ({ app }) => {
  const person = newAccountDetails();
  for (const [operation, body] of [
    [register, person],
    [requestReset, { email: person.email }],
  ] as const) {
    const client = createClient(app.url);
    const answers = await repeatInParallel(15, () =>
      sendUntilServed(() => client.sendOperation(operation, { body })),
    );
    expect(statusCodes(answers).filter((status) => status === 429)).toHaveLength(5);
  }
  const client = createClient(app.url);
  await client.call(register, { body: newAccountDetails() });
  await expectError(await client.sendOperation(resendVerificationEmail), 'rate_limited');
});

test('login, register, reset and resend answer alike whether or not the address has an account', async ({
  app,
  account,
}) => {
  const unknown = newAccountDetails().email;
  for (const operation of [login, register, requestReset]) {
    const [one, other] = await Promise.all(
      [account.email, unknown].map(async (email) => {
        const answer = await createClient(app.url).sendOperation(operation, {
          body: { ...newAccountDetails(), email, password: 'five green bottles' },
        });
        const names = [...answer.headers.keys()].filter((name) => name !== 'date');
        return { status: answer.status, body: await answer.text(), names };
      }),
    );
    expect(one).toEqual(other);
  }
  const [taken, fresh] = [createClient(app.url), createClient(app.url)];
  await taken.call(register, { body: { ...newAccountDetails(), email: account.email } });
  await fresh.call(register, { body: newAccountDetails() });
  const answers = await Promise.all(
    [taken, fresh].map((client) => client.sendOperation(resendVerificationEmail)),
  );
  expect(statusCodes(answers)).toEqual([429, 429]);
});

test('a link of a mail used 20 times at once works once', async ({ anonymous, account, mailbox }) => {
  const person = newAccountDetails();
  await anonymous.call(register, { body: person });
  const [, , uid = '', token = ''] = (await mailbox.wait(person.email, /verify/i)).link.split('/');
  const verified = await repeatInParallel(20, () =>
    anonymous.sendOperation(verifyEmail, { params: { uid, token } }),
  );
  expect(statusCodes(verified).sort()).toEqual([200, ...Array(19).fill(400)]);

  await anonymous.call(requestReset, { body: { email: account.email } });
  const [, , uidb64 = '', key = ''] = (await mailbox.wait(account.email, /new password/i)).link.split('/');
  const reset = await repeatInParallel(20, (index) =>
    anonymous.sendOperation(resetPassword, {
      params: { uidb64, token: key },
      body: { newPassword: `four loud lanterns ${index}` },
    }),
  );
  expect(statusCodes(reset).sort()).toEqual([200, ...Array(19).fill(400)]);
});

/** Returns another client with the same cookies. */
const copyOf = (client: Client, site: string): Client => {
  const copy = createClient(site);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  return copy;
};

test.describe('old cookies', () => {
  for (const [name, end] of [
    ['logout', (client: Client) => client.call(logout)],
    [
      'a change of the password',
      (client: Client, password: string) =>
        client.call(changePassword, {
          body: { currentPassword: password, newPassword: 'four loud lanterns' },
        }),
    ],
  ] as const) {
    test(`are dead after ${name}`, async ({ app, account }) => {
      const old = copyOf(account.api, app.url);
      await end(account.api, account.password);
      await expectError(await copyOf(old, app.url).sendOperation(checkAccountStatus), 'unauthenticated');
      expect(await (await copyOf(old, app.url).send('GET', '/api/auth/session')).json()).toEqual({});
      // However often it's asked: the answer doesn't clear the cookie that it's given for.
      const asking = copyOf(old, app.url);
      for (const _ of [1, 2]) {
        const refused = await expectError(await asking.sendOperation(refreshSession), 'unauthenticated');
        expect(refused.fields).toEqual({ session: 'ended' });
      }
    });
  }
});

test('20 tabs that renew at once, again and again, all go on', async ({ app, account }) => {
  const { cookies } = account.api;
  for (let round = 0; round < 10; round += 1) {
    const tabs = Array.from({ length: 20 }, () => copyOf(account.api, app.url));
    const answers = await Promise.all(tabs.map((tab) => tab.sendOperation(refreshSession)));
    expect(new Set(statusCodes(answers))).toEqual(new Set([200]));
    for (const [name, value] of tabs[round]?.cookies ?? []) cookies.set(name, value);
  }
  await account.api.call(checkAccountStatus);
});

test('over http there is no HSTS, and the cookies are closed to scripts and other sites', async ({
  app,
  account,
}) => {
  const { email, password } = account;
  const answer = await createClient(app.url).sendOperation(login, { body: { email, password } });
  expect(answer.headers.get('strict-transport-security')).toBeNull();
  const cookies = answer.headers.getSetCookie();
  const names = cookies.map((cookie) => cookie.split('=')[0]);
  expect(names).toEqual(['next-auth.session-token', 'daylight.refresh', 'daylight.device']);
  for (const cookie of cookies)
    expect(cookie).toMatch(/HttpOnly; SameSite=lax|SameSite=lax; HttpOnly|HttpOnly.*SameSite=lax/i);
});

test('the log has a line with its request id for each sign-in and refusal, and nobody’s words', async ({
  app,
  anonymous,
  mailbox,
}) => {
  const person = { ...newAccountDetails(), firstName: 'Zebulonia', lastName: 'Quartermaine' };
  const client = createClient(app.url);
  const told = new Set<string>([person.email, person.password, person.firstName, person.lastName]);
  await client.call(register, { body: person });
  const { link } = await mailbox.wait(person.email, /verify/i);
  const [, , uid = '', token = ''] = link.split('/');
  told.add(token);
  await client.call(verifyEmail, { params: { uid, token } });
  const { email, password } = person;
  const ids = new Map<string, RegExp>();
  const keep = (answer: Response, event: RegExp) => ids.set(answer.headers.get('x-request-id') ?? '', event);
  keep(await client.sendOperation(login, wrongCredentials(email)), /login\.refused/);
  keep(await client.sendOperation(login, { body: { email, password } }), /login\.accepted/);
  for (const value of client.cookies.values()) told.add(value);
  await client.call(updateProfile, { body: { firstName: person.firstName, lastName: person.lastName } });
  keep(await anonymous.sendOperation(checkAccountStatus), /unauthenticated/);
  keep(await client.sendOperation(logout, {}, { 'sec-fetch-site': 'cross-site' }), /cross_site_request/);
  await client.call(requestReset, { body: { email } });
  told.add((await mailbox.wait(email, /new password/i)).link.split('/')[3] ?? '');
  keep(await client.sendOperation(logout), /session\.ended/);
  keep(await anonymous.send('GET', '/journals?secret=Zebulonia'), /page\.refused/);

  const log = () => readFileSync(join(app.dataDir, 'logs', 'app.log'), 'utf8');
  expect(ids.size).toBe(6);
  for (const [id, event] of ids) {
    expect(id).not.toBe('');
    await expect
      .poll(
        () =>
          log()
            .split('\n')
            .some((line) => line.includes(id) && event.test(line)),
        `${event} of ${id}`,
      )
      .toBe(true);
  }
  for (const word of told) expect(log().includes(word), `"${word.slice(0, 12)}…" in the log`).toBe(false);
});
