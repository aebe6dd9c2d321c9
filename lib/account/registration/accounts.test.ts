import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { authenticate } from '@/lib/account/sessions/service';
import type { AppError } from '@/lib/foundation/contract/errors';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { newEmail, PASSWORD, registerAccount, signupDetails } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { allowReset, login, register } from './service';
import { allowResend, verifyEmail } from './verification';

const asked: string[] = [];
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ onQuery: (query) => asked.push(query) });
});
afterAll(() => takeDown());

/** The statements that a piece of work sends to the database, in order. */
async function questions(work: () => Promise<unknown>): Promise<string[]> {
  asked.length = 0;
  await work();
  return [...asked];
}

describe('signup', () => {
  it('sends a link that verifies the address once', async () => {
    const email = newEmail();
    await register(signupDetails(email), newClientInfo());
    expect((await login({ email, password: PASSWORD }, newClientInfo())).accountStatus).toBe('NOT_VERIFIED');
    const { uid, token } = await latestEmailLink(email, 'verify_email');
    expect(await verifyEmail(uid, token)).toEqual({ accountStatus: 'VERIFIED', tokens: null });
    expect(await codeOf(verifyEmail(uid, token))).toBe('invalid_or_expired_link');
    expect((await login({ email, password: PASSWORD }, newClientInfo())).accountStatus).toBe('VERIFIED');
  });

  it('with a taken address changes nothing and tells its owner', async () => {
    const { email } = await registerAccount();
    await register(signupDetails(email, 'another person here'), newClientInfo());
    expect(await codeOf(login({ email, password: 'another person here' }, newClientInfo()))).toBe(
      'invalid_credentials',
    );
    expect((await queuedEmails(email)).map((mail) => mail.subject)).toEqual([
      'Verify your email address',
      'You already have an account',
    ]);
  });

  it('of 30 people at once with one address opens one account', async () => {
    const email = newEmail();
    await Promise.all(Array.from({ length: 30 }, () => register(signupDetails(email), newClientInfo())));
    const subjects = (await queuedEmails(email)).map((mail) => mail.subject);
    expect(subjects.filter((subject) => subject === 'Verify your email address')).toHaveLength(1);
    expect(subjects.filter((subject) => subject === 'You already have an account')).toHaveLength(5);
  });

  it('asks the database the same questions whether or not the address is taken', async () => {
    const { email } = await registerAccount();
    const known = await questions(() => register(signupDetails(email), newClientInfo()));
    const unknown = await questions(() => register(signupDetails(newEmail()), newClientInfo()));
    expect(unknown).toEqual(known);
    expect(known.length).toBeGreaterThan(5);
  });

  it('refuses passwords that everybody tries, before anything else', async () => {
    for (const password of ['password', 'PassWord1', 'qwertyuiop', 'iloveyou', '1234567890']) {
      const error: AppError = await register(signupDetails(newEmail(), password), newClientInfo()).then(
        () => expect.unreachable(password),
        (reason) => reason,
      );
      expect(error.code).toBe('validation_failed');
      expect(error.fields?.password).toMatch(/easy to guess/);
    }
  });
});

describe('login', () => {
  it('evaluates ten of 200 parallel wrong tries, and the owner elsewhere still gets in', async () => {
    const { email } = await registerAccount();
    const client = newClientInfo();
    const codes = await Promise.all(
      Array.from({ length: 200 }, () => codeOf(login({ email, password: 'wrong' }, client))),
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(190);
    expect(await codeOf(login({ email, password: PASSWORD }, client))).toBe('rate_limited');
    expect(await codeOf(login({ email, password: PASSWORD }, newClientInfo()))).toBe('ok');
  });

  it('asks the database the same questions for a wrong password and for an unknown address', async () => {
    const { email } = await registerAccount();
    const wrong = () => codeOf(login({ email, password: 'wrong' }, newClientInfo()));
    const unknown = () => codeOf(login({ email: newEmail(), password: 'wrong' }, newClientInfo()));
    expect(await questions(unknown)).toEqual(await questions(wrong));
  });

  it('limits unknown addresses just the same', async () => {
    const email = newEmail();
    const client = newClientInfo();
    const codes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      codes.push(await codeOf(login({ email, password: 'wrong' }, client)));
    }
    expect(codes).toEqual([...Array(10).fill('invalid_credentials'), 'rate_limited', 'rate_limited']);
  });

  it('always makes a new session', async () => {
    const { email } = await registerAccount();
    const sessions = await Promise.all(
      [1, 2, 3].map(async () => {
        const { tokens } = await login({ email, password: PASSWORD }, newClientInfo());
        return (await authenticate(tokens.access))?.sessionId;
      }),
    );
    expect(new Set(sessions).size).toBe(3);
  });

  it('takes a password in whatever form of Unicode the keyboard sends', async () => {
    const email = newEmail();
    await register(signupDetails(email, 'caf\u00e9 au lait'), newClientInfo());
    expect(await codeOf(login({ email, password: 'cafe\u0301 au lait' }, newClientInfo()))).toBe('ok');
  });
});

it('asks the database the same questions before it answers a reset, whatever the address', async () => {
  const { email } = await registerAccount();
  const known = await questions(() => allowReset(email, newClientInfo()));
  expect(await questions(() => allowReset(newEmail(), newClientInfo()))).toEqual(known);
});

it('answers a second mail within a minute alike for every address', async () => {
  for (const email of [(await registerAccount()).email, newEmail()]) {
    const client = newClientInfo();
    expect(await codeOf(allowResend(email, Date.now() - 59_000, client))).toBe('rate_limited');
    expect(await codeOf(allowResend(email, Date.now() - 61_000, client))).toBe('ok');
  }
});

it('every mail has a plain text with the whole address of its link', async () => {
  const email = newEmail();
  await register(signupDetails(email), newClientInfo());
  const [mail] = await queuedEmails(email);
  const { uid, token } = await latestEmailLink(email, 'verify_email');
  const link = `http://localhost:3000/verify_email/${uid}/${token}/`;
  expect(mail?.text).toContain(link);
  expect(mail?.html).toContain(`href="${link}"`);
  expect(mail?.text).not.toMatch(/<[a-z]/);
  expect(mail?.html).toMatch(/color-scheme/);
  expect((await db().select().from(users).where(eq(users.email, email)))[0]?.verifiedAt).toBeNull();
});
