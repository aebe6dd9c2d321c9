import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailLinks, users } from '@/db/schema/accounts';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { authenticate } from '@/lib/account/sessions/service';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import { PASSWORD, registerAccount } from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { duringTransaction } from '@/test/open-transaction';
import { login, requestReset, resetPassword } from './service';
import { verifyEmail } from './verification';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

describe('reset', () => {
  it('sets the password and ends every session', async () => {
    const { email } = await registerAccount();
    const { tokens } = await login({ email, password: PASSWORD }, newClientInfo());
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    await resetPassword(uid, token, 'a new one for me', newClientInfo());
    expect(await authenticate(tokens.access)).toBeNull();
    expect(await codeOf(login({ email, password: PASSWORD }, newClientInfo()))).toBe('invalid_credentials');
    expect(await codeOf(login({ email, password: 'a new one for me' }, newClientInfo()))).toBe('ok');
  });

  it('works once when the link is used 20 times at once', async () => {
    const { email } = await registerAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        codeOf(resetPassword(uid, token, `password number ${index}`, newClientInfo())),
      ),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'invalid_or_expired_link')).toHaveLength(19);
  });

  it('refuses a login that has compared the old password meanwhile', async () => {
    const { email } = await registerAccount();
    const passwordHash = await hashPassword('a new one for me');
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(users).set({ passwordHash }).where(eq(users.email, email)),
      () => codeOf(login({ email, password: PASSWORD }, newClientInfo())),
    );
    expect(waited).toBe(true);
    expect(outcome).toEqual({ status: 'fulfilled', value: 'invalid_credentials' });
  });

  it('a refused password, a wrong account or a wrong purpose does not use the link up', async () => {
    const { email, uid: ownUid } = await registerAccount();
    const { uid: otherUid } = await registerAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    expect(await codeOf(resetPassword(uid, token, 'password', newClientInfo()))).toBe('validation_failed');
    expect(await codeOf(resetPassword(otherUid, token, 'a new one for me', newClientInfo()))).toBe(
      'invalid_or_expired_link',
    );
    expect(await codeOf(verifyEmail(ownUid, token))).toBe('invalid_or_expired_link');
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClientInfo()))).toBe('ok');
  });

  it('keeps older links good until one of them is used', async () => {
    const { email } = await registerAccount();
    const links: { uid: string; token: string }[] = [];
    for (let count = 0; count < 3; count += 1) {
      await requestReset(email);
      links.push(await latestEmailLink(email, 'reset'));
    }
    const use = ({ uid, token } = { uid: '', token: '' }) =>
      codeOf(resetPassword(uid, token, 'a new one for me', newClientInfo()));
    expect(await use(links[1])).toBe('ok');
    expect(await Promise.all(links.map(use))).toEqual(Array(3).fill('invalid_or_expired_link'));
  });

  it('refuses a link whose time is over, and removes it when another is asked for', async () => {
    const { email } = await registerAccount();
    await requestReset(email);
    const { uid, token } = await latestEmailLink(email, 'reset');
    const userId = Buffer.from(uid, 'base64url').toString();
    await db()
      .update(mailLinks)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(mailLinks.userId, userId));
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClientInfo()))).toBe(
      'invalid_or_expired_link',
    );
    await requestReset(email);
    expect(await db().select().from(mailLinks).where(eq(mailLinks.userId, userId))).toHaveLength(1);
  });

  it('sends five of ten mails asked for at once, without a deadlock, and keeps only the links it sends', async () => {
    const { email, uid } = await registerAccount();
    await Promise.all(Array.from({ length: 10 }, () => requestReset(email)));
    expect((await queuedEmails(email)).filter((mail) => mail.subject === 'Set a new password')).toHaveLength(
      5,
    );
    const userId = Buffer.from(uid, 'base64url').toString();
    const links = await db().select().from(mailLinks).where(eq(mailLinks.userId, userId));
    expect(links).toHaveLength(5);
    const { token } = await latestEmailLink(email, 'reset');
    expect(JSON.stringify(links)).not.toContain(token);
    expect(await codeOf(resetPassword(uid, token, 'a new one for me', newClientInfo()))).toBe('ok');
  });
});
