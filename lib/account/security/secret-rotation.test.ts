import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { outbox } from '@/db/schema/outbox';
import { twoFactor } from '@/db/schema/security';
import { authenticate, rotateSession } from '@/lib/account/sessions/service';
import { enableTwoFactor, setUpTwoFactor } from '@/lib/account/two-factor/service';
import { reencryptTotpSecrets, rotateTotpSecrets } from '@/lib/account/two-factor/totp-secret';
import { isOurChallenge, newChallenge } from '@/lib/account/webauthn/challenge';
import { env, parseEnv } from '@/lib/foundation/env';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { enqueueMail } from '@/lib/messaging/outbox/service';
import { startResend } from '@/local/resend/server';
import { createAccount, logIn, newEmail, PASSWORD, signInUser } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { duringTransaction } from '@/test/open-transaction';
import { startLocalServices } from '@/test/services';

const OLD = 'the old secret of at least 32 characters';
const NEW = 'the new secret of at least 32 characters';
const OTHER = 'one more secret of at least 32 characters';

let services: Awaited<ReturnType<typeof startLocalServices>>;
let mail: Awaited<ReturnType<typeof startResend>>;
beforeAll(async () => {
  services = await startLocalServices();
  mail = await startResend({ dir: services.folder('mail'), apiKey: 're_test' });
  process.env.RESEND_BASE_URL = mail.url;
});
afterAll(async () => {
  await mail.close();
  await services.end();
});

/** Changes the setting as a restart with another environment would. */
function restartWith(secrets: string): void {
  env().AUTH_SECRET = parseEnv({ ...process.env, AUTH_SECRET: secrets }).AUTH_SECRET;
}

let email: string;
let account: Awaited<ReturnType<typeof accountWithApp>>;

async function accountWithApp() {
  const id = await createAccount(email);
  const { user, tokens } = await signInUser(id);
  const { secret } = await setUpTwoFactor(user);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const [recoveryCode = ''] = await enableTwoFactor(id, totp.generate(), newClientInfo());
  /** Signs in with the app's present code, which its earlier use doesn't stand against. */
  const signInByApp = async () => {
    await db().update(twoFactor).set({ lastStep: 0 }).where(eq(twoFactor.userId, id));
    return logIn(email, PASSWORD, totp.generate());
  };
  return { id, tokens, recoveryCode, signInByApp };
}

beforeEach(async () => {
  restartWith(OLD);
  email = newEmail();
  account = await accountWithApp();
});

const sentTo = async (to: string) => {
  const response = await fetch(`${mail.url}/emails`, { headers: { authorization: 'Bearer re_test' } });
  const { data } = (await response.json()) as { data: { to: string[]; subject: string }[] };
  return data.filter((sent) => sent.to.includes(to)).map((sent) => sent.subject);
};

it('a new secret in front leaves all that the old one encrypted readable', async () => {
  const { access, refresh } = account.tokens;
  const renewed = await rotateSession(refresh);
  const challenge = Buffer.from(newChallenge('sign-in')).toString('base64url');
  await enqueueMail(db(), { to: email, subject: 'Before', html: '<p>x</p>', text: 'x' });

  restartWith(`${NEW}, ${OLD}`);
  expect(await authenticate(access)).toMatchObject({ id: account.id });
  // The second tab, which asks with the spent token.
  expect(await rotateSession(refresh)).toMatchObject({ refresh: renewed?.refresh });
  expect(isOurChallenge(challenge, 'sign-in')).toBe(true);
  await deliverOutbox(200);
  expect(await sentTo(email)).toContain('Before');
  expect(await account.signInByApp()).toMatchObject({ accountStatus: 'VERIFIED' });

  // What is made now no longer needs the old secret.
  const { tokens } = await account.signInByApp();
  restartWith(NEW);
  expect(await authenticate(tokens.access)).toMatchObject({ id: account.id });
  expect(await authenticate(access)).toBeNull();
});

it('authenticator apps go on after the old secret is removed', async () => {
  restartWith(`${NEW},${OLD}`);
  await rotateTotpSecrets();
  restartWith(NEW);
  expect(await account.signInByApp()).toMatchObject({ accountStatus: 'VERIFIED' });
});

it('an app that’s being set up again stays the new one', async () => {
  restartWith(`${NEW},${OLD}`);
  const ofAccount = eq(twoFactor.userId, account.id);
  const { waited } = await duringTransaction(
    (tx) => tx.update(twoFactor).set({ sealedSecret: 'of the new app' }).where(ofAccount),
    rotateTotpSecrets,
  );
  expect(waited).toBe(true);
  expect(await db().select().from(twoFactor).where(ofAccount)).toMatchObject([
    { sealedSecret: 'of the new app' },
  ]);
});

it('all apps are looked at, however many there are', async () => {
  const many = 501;
  const ids = Array.from({ length: many }, () => randomUUID());
  await db()
    .insert(users)
    .values(ids.map((id) => ({ id, email: `${id}@example.com`, firstName: 'A', lastName: 'B' })));
  await db()
    .insert(twoFactor)
    .values(ids.map((userId) => ({ userId, sealedSecret: 'unreadable' })));
  expect((await reencryptTotpSecrets()).unreadable).toBeGreaterThanOrEqual(many);
  await db().delete(users).where(anyOf(users.id, ids));
});

it('without a secret that decrypts it, an app asks for a recovery code, and a mail is kept but given up', async () => {
  await enqueueMail(db(), { to: email, subject: 'Lost', html: '<p>x</p>', text: 'x' });
  restartWith(OTHER);
  await expect(account.signInByApp()).rejects.toMatchObject({
    code: 'validation_failed',
    fields: { code: 'We can’t check codes from your app right now. Use one of your recovery codes instead.' },
  });
  expect(await logIn(email, PASSWORD, account.recoveryCode)).toMatchObject({ accountStatus: 'VERIFIED' });
  await deliverOutbox(200);
  const waiting = await db().select({ dead: outbox.dead }).from(outbox).where(eq(outbox.kind, 'mail'));
  expect(waiting.some(({ dead }) => dead)).toBe(true);
  expect(await sentTo(email)).not.toContain('Lost');
});
