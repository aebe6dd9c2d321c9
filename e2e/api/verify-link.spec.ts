import { newAccountDetails } from '@/e2e/accounts';
import { type Client, createClient } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import type { Mailbox } from '@/e2e/mailbox';
import { checkAccountStatus, register, verifyEmail } from '@/lib/account/registration/contract';
import { expectError } from './response-assertions';

const REGISTERED = 'daylight.registered';

/** Opens the newest verification link to an address, as a client with its cookies. */
async function openLink(client: Client, mailbox: Mailbox, email: string): Promise<Response> {
  const [, , uid = '', token = ''] = (await mailbox.wait(email, /verify/i)).link.split('/');
  return client.sendOperation(verifyEmail, { params: { uid, token } });
}

test('a link signs in the client that signed up, and only verifies elsewhere', async ({ app, mailbox }) => {
  const [here, elsewhere] = [createClient(app.url), createClient(app.url)];
  const [one, other] = [newAccountDetails(), newAccountDetails()];
  await here.call(register, { body: one });
  // Signing up again, for want of an email, loses nothing.
  await here.call(register, { body: one });
  const answer = await openLink(here, mailbox, one.email);
  expect(await answer.json()).toEqual({ accountStatus: 'VERIFIED' });
  expect(await here.call(checkAccountStatus)).toEqual({ accountStatus: 'VERIFIED' });
  expect(here.cookies.get(REGISTERED) ?? '').toBe('');

  await createClient(app.url).call(register, { body: other });
  await elsewhere.call(register, { body: newAccountDetails() });
  const verified = await openLink(elsewhere, mailbox, other.email);
  expect(await verified.json()).toEqual({ accountStatus: 'VERIFIED' });
  expect(verified.headers.getSetCookie()).toEqual([]);
  await expectError(await elsewhere.sendOperation(checkAccountStatus), 'unauthenticated');
});

test('a link doesn’t sign in who signed up with an address that a stranger had used first', async ({
  app,
  mailbox,
}) => {
  const [stranger, owner] = [createClient(app.url), createClient(app.url)];
  const person = newAccountDetails();
  await stranger.call(register, { body: { ...person, password: 'what a stranger picked' } });
  await owner.call(register, { body: person });
  expect((await openLink(owner, mailbox, person.email)).status).toBe(200);
  for (const client of [owner, stranger]) {
    await expectError(await client.sendOperation(checkAccountStatus), 'unauthenticated');
  }
});

test('the cookie of a sign-up is the same for a taken address', async ({ app, account }) => {
  const cookies = await Promise.all(
    [account.email, newAccountDetails().email].map(async (email) => {
      const body = { ...newAccountDetails(), email, next: '/settings' };
      const answer = await createClient(app.url).sendOperation(register, { body });
      // It's encrypted anew each time, so only its length can tell anything.
      return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]?.length);
    }),
  );
  expect(cookies[0]).toEqual([expect.any(Number)]);
  expect(cookies[1]).toEqual(cookies[0]);
});
