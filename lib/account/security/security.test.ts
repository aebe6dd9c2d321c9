import { and, eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditEvents, recoveryCodes, twoFactor } from '@/db/schema/security';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { login, requestReset, resetPassword } from '@/lib/account/registration/service';
import { authenticate, rotateSession, type User } from '@/lib/account/sessions/service';
import {
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  twoFactorState,
} from '@/lib/account/two-factor/service';
import { addUser, latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { changePassword } from './service';

const PASSWORD = 'three quiet lamps';
const NEW = 'four loud lanterns';
let takeDown: () => Promise<void>;
let passwordHash: string;
beforeAll(async () => {
  // One connection: a transaction that waited for a second one would never end.
  takeDown = await useFreshDatabase({ settings: { DATABASE_POOL_SIZE: '1' } });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => takeDown());

let email: string;
let id: string;
beforeEach(async () => {
  email = `${crypto.randomUUID()}@example.com`;
  id = await addUser(email, passwordHash);
});

const signIn = async (password = PASSWORD, code?: string) =>
  (await login({ email, password, code }, newClientInfo())).tokens;

async function signedIn(): Promise<User> {
  const user = await authenticate((await signIn()).access);
  if (!user) throw new Error('not signed in');
  return user;
}

describe('changing the password', () => {
  it('ends every older session at once, this one too, and goes on with a new one', async () => {
    const [here, phone] = [await signIn(), await signIn()];
    const user = await authenticate(here.access);
    if (!user) throw new Error('not signed in');
    const tokens = await changePassword(
      user,
      { currentPassword: PASSWORD, newPassword: NEW },
      newClientInfo(),
    );
    for (const old of [here, phone]) {
      expect(await authenticate(old.access)).toBeNull();
      expect(await rotateSession(old.refresh)).toBeNull();
    }
    expect(await authenticate(tokens.access)).toMatchObject({ id });
    await signIn(NEW);
    expect((await expectRejection(signIn())).code).toBe('invalid_credentials');
    expect((await queuedEmails(email)).map((mail) => mail.subject)).toEqual(['Your password was changed']);
  });

  it('makes a reset link useless that somebody asked for before', async () => {
    const user = await signedIn();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    await changePassword(user, { currentPassword: PASSWORD, newPassword: NEW }, newClientInfo());
    expect((await expectRejection(resetPassword(uid, token, 'yet another one', newClientInfo()))).code).toBe(
      'invalid_or_expired_link',
    );
  });

  it('needs the present password, and asks for it ten times at most', async () => {
    const user = await signedIn();
    const client = newClientInfo();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () =>
        expectRejection(changePassword(user, { currentPassword: 'wrong', newPassword: NEW }, client)),
      ),
    );
    expect(outcomes.filter((error) => error.fields?.currentPassword)).toHaveLength(10);
    expect(outcomes.filter((error) => error.code === 'rate_limited')).toHaveLength(20);
    await signIn();
  });

  it('of two at once one wins and the other is told', async () => {
    const user = await signedIn();
    const outcomes = await Promise.allSettled(
      ['four loud lanterns', 'five green bottles'].map((newPassword) =>
        changePassword(user, { currentPassword: PASSWORD, newPassword }, newClientInfo()),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the second factor', () => {
  /** Codes of the app at a moment; each moment lies in a time step of its own, as a code works once. */
  async function setUp() {
    const { secret, uri, qr } = await setUpTwoFactor({ id, email });
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const nextCode = () => {
      vi.setSystemTime(Date.now() + 30_000);
      return totp.generate();
    };
    const codes = await enableTwoFactor(id, nextCode(), newClientInfo());
    return { uri, qr, nextCode, codes, secret };
  }

  /** Counts the sign-ins by a recovery code in the account's record. */
  const countRecoveries = () =>
    db().$count(auditEvents, and(eq(auditEvents.userId, id), eq(auditEvents.kind, 'login.recovery-code')));

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it('is asked for after the right password only, and lets in with a code of the app', async () => {
    const { nextCode, uri, qr } = await setUp();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Daylight:/);
    expect(qr.path.startsWith('M0 0h1v1h-1z')).toBe(true);
    expect((await expectRejection(signIn('wrong', nextCode()))).code).toBe('invalid_credentials');
    const asked = await expectRejection(signIn());
    expect([asked.code, asked.fields?.code]).toEqual([
      'validation_failed',
      'Enter the code from your authenticator app.',
    ]);
    expect((await expectRejection(signIn(PASSWORD, '000000'))).fields).toHaveProperty('code');
    expect(await authenticate((await signIn(PASSWORD, nextCode())).access)).toMatchObject({ id });
    expect(await countRecoveries()).toBe(0);
  });

  it('takes each code once, also when it is sent 20 times at once', async () => {
    const { nextCode } = await setUp();
    const code = nextCode();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIn(PASSWORD, code)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  it('takes a recovery code once, in whatever way it is typed', async () => {
    const { codes } = await setUp();
    expect(new Set(codes).size).toBe(10);
    const [code = '', second = ''] = codes;
    await signIn(PASSWORD, ` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect((await expectRejection(signIn(PASSWORD, code))).fields).toHaveProperty('code');
    await signIn(PASSWORD, second);
    expect(await countRecoveries()).toBe(2);
    expect(await twoFactorState(id)).toEqual({ enabled: true, recoveryCodesLeft: 8 });
    const fresh = await renewRecoveryCodes(id);
    expect((await expectRejection(signIn(PASSWORD, codes[2]))).fields).toHaveProperty('code');
    await signIn(PASSWORD, fresh[0]);
  });

  it('is guessed at thirty times an hour at most, from wherever', async () => {
    await setUp();
    let evaluated = 0;
    for (let round = 0; round < 40; round += 1) {
      const { code } = await expectRejection(signIn(PASSWORD, '000000'));
      if (code === 'validation_failed') evaluated += 1;
    }
    expect(evaluated).toBe(30);
  });

  it('keeps neither the secret nor the codes in clear', async () => {
    const { secret, codes } = await setUp();
    const kept = JSON.stringify([
      await db().select().from(twoFactor),
      await db().select().from(recoveryCodes),
    ]);
    for (const told of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(kept).not.toContain(told);
    }
  });

  it('counts only once it is confirmed, and not any more when it is off', async () => {
    await setUpTwoFactor({ id, email });
    await signIn();
    const wrong = await expectRejection(enableTwoFactor(id, '000000', newClientInfo()));
    expect(wrong.fields).toHaveProperty('code');
    await setUp();
    expect((await expectRejection(setUpTwoFactor({ id, email }))).code).toBe('conflict');
    expect((await expectRejection(enableTwoFactor(id, '000000', newClientInfo()))).code).toBe('conflict');
    await disableTwoFactor(id);
    await signIn();
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await db().$count(recoveryCodes, eq(recoveryCodes.userId, id))).toBe(0);
  });
});
