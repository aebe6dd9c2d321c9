import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import type { AppError } from '@/lib/contract/errors';
import type { Client } from '@/lib/request-scope';
import { authenticate } from '@/lib/sessions/service';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  allowResend,
  allowReset,
  login,
  register,
  requestReset,
  resetPassword,
  verifyEmail,
} from './service';

const asked: string[] = [];
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ onQuery: (query) => asked.push(query) });
});
afterAll(() => takeDown());

const PASSWORD = 'three quiet lamps';
let networks = 0;
/** A client of a test's own, so that no test uses up another's tries. */
const newClient = (): Client => {
  networks += 1;
  return { address: `192.0.2.${networks}`, userAgent: 'test' };
};
const newEmail = () => `${crypto.randomUUID()}@example.com`;

/** The statements that a piece of work sends to the database, in order. */
async function questions(work: () => Promise<unknown>): Promise<string[]> {
  asked.length = 0;
  await work();
  return [...asked];
}

const person = (email: string, password = PASSWORD) => ({
  email,
  password,
  firstName: 'Ada',
  lastName: 'Lovelace',
  gender: 'female' as const,
  dateOfBirth: '1990-12-10',
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: AppError) => error.code ?? String(error),
  );
}

async function openAccount(): Promise<{ email: string; uid: string }> {
  const email = newEmail();
  await register(person(email), newClient());
  const { uid, token } = await latestEmailLink(email, 'verify_email');
  await verifyEmail(uid, token);
  return { email, uid };
}

describe('signup', () => {
  it('sends a link that verifies the address once', async () => {
    const email = newEmail();
    await register(person(email), newClient());
    expect((await login({ email, password: PASSWORD }, newClient())).accountStatus).toBe('NOT_VERIFIED');
    const { uid, token } = await latestEmailLink(email, 'verify_email');
    expect(await verifyEmail(uid, token)).toEqual({ accountStatus: 'VERIFIED' });
    expect(await codeOf(verifyEmail(uid, token))).toBe('invalid_or_expired_link');
    expect((await login({ email, password: PASSWORD }, newClient())).accountStatus).toBe('VERIFIED');
  });

  it('with a taken address changes nothing and tells its owner', async () => {
    const { email } = await openAccount();
    await register(person(email, 'another person here'), newClient());
    expect(await codeOf(login({ email, password: 'another person here' }, newClient()))).toBe(
      'invalid_credentials',
    );
    expect((await queuedEmails(email)).map((mail) => mail.subject)).toEqual([
      'Verify your email address',
      'You already have an account',
    ]);
  });

  it('of 30 people at once with one address opens one account', async () => {
    const email = newEmail();
    await Promise.all(Array.from({ length: 30 }, () => register(person(email), newClient())));
    const subjects = (await queuedEmails(email)).map((mail) => mail.subject);
    expect(subjects.filter((subject) => subject === 'Verify your email address')).toHaveLength(1);
    expect(subjects.filter((subject) => subject === 'You already have an account')).toHaveLength(5);
  });

  it('asks the database the same questions whether or not the address is taken', async () => {
    const { email } = await openAccount();
    const known = await questions(() => register(person(email), newClient()));
    const unknown = await questions(() => register(person(newEmail()), newClient()));
    expect(unknown).toEqual(known);
    expect(known.length).toBeGreaterThan(5);
  });

  it('refuses passwords that everybody tries, before anything else', async () => {
    for (const password of ['password', 'PassWord1', 'qwertyuiop', 'iloveyou', '1234567890']) {
      const error: AppError = await register(person(newEmail(), password), newClient()).then(
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
    const { email } = await openAccount();
    const client = newClient();
    const codes = await Promise.all(
      Array.from({ length: 200 }, () => codeOf(login({ email, password: 'wrong' }, client))),
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(190);
    expect(await codeOf(login({ email, password: PASSWORD }, client))).toBe('rate_limited');
    expect(await codeOf(login({ email, password: PASSWORD }, newClient()))).toBe('ok');
  });

  it('asks the database the same questions for a wrong password and for an unknown address', async () => {
    const { email } = await openAccount();
    const wrong = () => codeOf(login({ email, password: 'wrong' }, newClient()));
    const unknown = () => codeOf(login({ email: newEmail(), password: 'wrong' }, newClient()));
    expect(await questions(unknown)).toEqual(await questions(wrong));
  });

  it('limits unknown addresses just the same', async () => {
    const email = newEmail();
    const client = newClient();
    const codes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      codes.push(await codeOf(login({ email, password: 'wrong' }, client)));
    }
    expect(codes).toEqual([...Array(10).fill('invalid_credentials'), 'rate_limited', 'rate_limited']);
  });

  it('always makes a new session', async () => {
    const { email } = await openAccount();
    const sessions = await Promise.all(
      [1, 2, 3].map(async () => {
        const { tokens } = await login({ email, password: PASSWORD }, newClient());
        return (await authenticate(tokens.access))?.sessionId;
      }),
    );
    expect(new Set(sessions).size).toBe(3);
  });

  it('takes a password in whatever form of Unicode the keyboard sends', async () => {
    const email = newEmail();
    await register(person(email, 'caf\u00e9 au lait'), newClient());
    expect(await codeOf(login({ email, password: 'cafe\u0301 au lait' }, newClient()))).toBe('ok');
  });
});

describe('reset', () => {
  it('sets the password and ends every session', async () => {
    const { email } = await openAccount();
    const { tokens } = await login({ email, password: PASSWORD }, newClient());
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    await resetPassword(uid, token, 'a new one for me', newClient());
    expect(await authenticate(tokens.access)).toBeNull();
    expect(await codeOf(login({ email, password: PASSWORD }, newClient()))).toBe('invalid_credentials');
    expect(await codeOf(login({ email, password: 'a new one for me' }, newClient()))).toBe('ok');
  });

  it('works once when the link is used 20 times at once', async () => {
    const { email } = await openAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        codeOf(resetPassword(uid, token, `password number ${index}`, newClient())),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'invalid_or_expired_link')).toHaveLength(19);
  });

  it('leaves no session behind when it runs beside a login with the old password', async () => {
    const { email } = await openAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const logins = Array.from({ length: 5 }, () =>
      login({ email, password: PASSWORD }, newClient()).catch(() => null),
    );
    await resetPassword(uid, token, 'a new one for me', newClient());
    for (const result of await Promise.all(logins)) {
      if (result) expect(await authenticate(result.tokens.access)).toBeNull();
    }
  });

  it('a refused password, a wrong account or a wrong purpose does not use the link up', async () => {
    const { email, uid: ownUid } = await openAccount();
    const { uid: otherUid } = await openAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    expect(await codeOf(resetPassword(uid, token, 'password', newClient()))).toBe('validation_failed');
    expect(await codeOf(resetPassword(otherUid, token, 'a new one for me', newClient()))).toBe(
      'invalid_or_expired_link',
    );
    expect(await codeOf(verifyEmail(ownUid, token))).toBe('invalid_or_expired_link');
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClient()))).toBe('ok');
  });

  it('keeps older links good until one of them is used', async () => {
    const { email } = await openAccount();
    const links: { uid: string; token: string }[] = [];
    for (let count = 0; count < 3; count += 1) {
      await requestReset(email);
      links.push(await latestEmailLink(email, 'reset'));
    }
    const use = ({ uid, token } = { uid: '', token: '' }) =>
      codeOf(resetPassword(uid, token, 'a new one for me', newClient()));
    expect(await use(links[1])).toBe('ok');
    expect(await Promise.all(links.map(use))).toEqual(Array(3).fill('invalid_or_expired_link'));
  });

  it('refuses a link whose time is over, and removes it when another is asked for', async () => {
    const { email } = await openAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const userId = Buffer.from(uid, 'base64url').toString();
    await db()
      .update(mailLinks)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(mailLinks.userId, userId));
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClient()))).toBe(
      'invalid_or_expired_link',
    );
    await requestReset(email);
    expect(await db().select().from(mailLinks).where(eq(mailLinks.userId, userId))).toHaveLength(1);
  });

  it('sends five of ten mails asked for at once, without a deadlock, and keeps only the links it sends', async () => {
    const { email, uid } = await openAccount();
    await Promise.all(Array.from({ length: 10 }, () => requestReset(email)));
    expect((await queuedEmails(email)).filter((mail) => mail.subject === 'Set a new password')).toHaveLength(
      5,
    );
    const userId = Buffer.from(uid, 'base64url').toString();
    const links = await db().select().from(mailLinks).where(eq(mailLinks.userId, userId));
    expect(links).toHaveLength(5);
    const { token } = await latestEmailLink(email, 'reset');
    expect(JSON.stringify(links)).not.toContain(token);
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClient()))).toBe('ok');
  });
});

it('asks the database the same questions before it answers a reset, whatever the address', async () => {
  const { email } = await openAccount();
  const known = await questions(() => allowReset(email, newClient()));
  expect(await questions(() => allowReset(newEmail(), newClient()))).toEqual(known);
});

it('answers a second mail within a minute alike for every address', async () => {
  for (const email of [(await openAccount()).email, newEmail()]) {
    const client = newClient();
    expect(await codeOf(allowResend(email, Date.now() - 59_000, client))).toBe('rate_limited');
    expect(await codeOf(allowResend(email, Date.now() - 61_000, client))).toBe('ok');
  }
});

it('every mail has a plain text with the whole address of its link', async () => {
  const email = newEmail();
  await register(person(email), newClient());
  const [mail] = await queuedEmails(email);
  const { uid, token } = await latestEmailLink(email, 'verify_email');
  const link = `http://localhost:3000/verify_email/${uid}/${token}/`;
  expect(mail?.text).toContain(link);
  expect(mail?.html).toContain(`href="${link}"`);
  expect(mail?.text).not.toMatch(/<[a-z]/);
  expect(mail?.html).toMatch(/color-scheme/);
  expect((await db().select().from(users).where(eq(users.email, email)))[0]?.verifiedAt).toBeNull();
});
