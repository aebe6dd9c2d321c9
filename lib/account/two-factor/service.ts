import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { encode as encodeQr } from 'uqr';
import { db, type Transaction } from '@/db/client';
import { recoveryCodes, twoFactor } from '@/db/schema/security';
import { recordAuditEvent } from '@/lib/account/activity/service';
import { lockAccount } from '@/lib/account/passwords/locks';
import { changeAccount, removeRecoveryCodeFromNotices } from '@/lib/account/security/notices';
import { hashToken } from '@/lib/account/sessions/tokens';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import type { Client } from '@/lib/foundation/request-scope';
import { countAttempt, resetAttempts } from '@/lib/limits/service';
import { decryptTotpSecret, encryptTotpSecret } from './totp-secret';

const RECOVERY_CODES = 10;

const ofUser = (userId: string) => eq(twoFactor.userId, userId);

function invalidCodeError(message: string): AppError {
  return new AppError('validation_failed', { message, fields: { code: message } });
}

async function findAuthenticator(userId: string) {
  const [app] = await db().select().from(twoFactor).where(ofUser(userId));
  return app;
}

/**
 * Returns the time step that this code belongs to, one step of clock skew allowed either way (RFC 6238, 5.2); or null.
 * @throws AppError `validation_failed` when the app's secret can't be decrypted, so that no code can be right
 */
async function stepOf(code: string, sealedSecret: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const secret = await decryptTotpSecret(sealedSecret);
  if (!secret) {
    log.error({ event: 'two-factor.unreadable' }, 'no AUTH_SECRET decrypts an authenticator secret');
    throw invalidCodeError(
      'We can’t check codes from your app right now. Use one of your recovery codes instead.',
    );
  }
  const timestamp = Date.now();
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret.base32),
    timestamp,
    window: 1,
  });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

function consumeRecoveryCode(userId: string, code: string): Promise<boolean> {
  const hash = hashToken(code);
  return db().transaction(async (tx) => {
    await lockAccount(tx, userId);
    const spent = await tx
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId)))
      .returning({ hash: recoveryCodes.hash });
    if (spent.length === 0) return false;
    await removeRecoveryCodeFromNotices(tx, userId, hash);
    return true;
  });
}

async function consumeTotpCode(userId: string, code: string, sealedSecret: string): Promise<boolean> {
  const step = await stepOf(code, sealedSecret);
  if (step === null) return false;
  const spent = await db()
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(ofUser(userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId });
  return spent.length > 0;
}

export const CODE_MISSING = 'Enter the code from your authenticator app.';

/**
 * Asks for the second factor of an account that has one: a code of the app or a recovery code, each good once.
 * Call it only after the password was right.
 * @throws AppError `validation_failed` with `fields.code`, or `rate_limited`
 */
export async function assertSecondFactor(
  userId: string,
  given: string | undefined,
  client: Client,
): Promise<void> {
  const app = await findAuthenticator(userId);
  if (!app?.confirmedAt) return;
  const code = given?.replace(/[\s-]/g, '').toUpperCase();
  if (!code) {
    log.info({ event: 'login.code-asked', userId }, 'asked for the second factor');
    throw invalidCodeError(CODE_MISSING);
  }
  const attempt = { subject: userId, client: client.address };
  await countAttempt('second-factor', attempt);
  const byApp = await consumeTotpCode(userId, code, app.sealedSecret);
  if (!byApp && !(await consumeRecoveryCode(userId, code))) {
    await recordAuditEvent('login.code-refused', { userId });
    throw invalidCodeError('That code is wrong or was already used. Wait for a new one.');
  }
  await resetAttempts('second-factor', attempt);
  if (!byApp) await recordAuditEvent('login.recovery-code', { userId });
}

/** Whether the login asks for a code, and how many recovery codes are left. */
export async function twoFactorState(userId: string) {
  const [state] = await db()
    .select({
      enabled: sql<boolean>`${twoFactor.confirmedAt} is not null`,
      left: sql<number>`(select count(*)::int from ${recoveryCodes} where ${recoveryCodes.userId} = ${userId})`,
    })
    .from(twoFactor)
    .where(ofUser(userId));
  return { enabled: state?.enabled ?? false, recoveryCodesLeft: state?.enabled ? state.left : 0 };
}

/**
 * Makes a secret that waits for its first code; one that waited before is replaced.
 * @throws AppError `conflict` when an app is in use already
 */
export async function setUpTwoFactor(user: { id: string; email: string }) {
  const secret = new Secret({ size: 20 });
  const sealedSecret = await encryptTotpSecret(secret.base32);
  const made = await db()
    .insert(twoFactor)
    .values({ userId: user.id, sealedSecret })
    .onConflictDoUpdate({
      target: twoFactor.userId,
      set: { sealedSecret, lastStep: 0 },
      setWhere: isNull(twoFactor.confirmedAt),
    })
    .returning({ userId: twoFactor.userId });
  if (made.length === 0) {
    throw new AppError('conflict', { message: 'Two-factor login is already on. Turn it off first.' });
  }
  const uri = new TOTP({ issuer: 'Daylight', label: user.email, secret }).toString();
  const { data, size } = encodeQr(uri, { ecc: 'M', border: 0 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { secret: secret.base32, uri, qr: { size, path } };
}

async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from(
    { length: RECOVERY_CODES },
    () => new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32,
  );
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ hash: hashToken(code), userId })));
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/**
 * Switches two-factor login on with a first code.
 * @returns the recovery codes, which nobody can read again
 * @throws AppError `validation_failed`, `rate_limited`, `conflict` when nothing waits for a code
 */
export async function enableTwoFactor(userId: string, given: string, client: Client): Promise<string[]> {
  const attempt = { subject: userId, client: client.address };
  await countAttempt('second-factor', attempt);
  const app = await findAuthenticator(userId);
  if (!app || app.confirmedAt) throw new AppError('conflict');
  const step = await stepOf(given.replace(/\s/g, ''), app.sealedSecret);
  if (step === null) throw invalidCodeError('That code isn’t right. Check your device’s clock.');
  // Not in the transaction, which would hold its connection while this waits for another one.
  await resetAttempts('second-factor', attempt);
  const change = { notice: 'two-factor-enabled', event: 'two-factor.enabled' } as const;
  return changeAccount({ id: userId }, change, async (tx) => {
    const confirmed = await tx
      .update(twoFactor)
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where(and(ofUser(userId), eq(twoFactor.sealedSecret, app.sealedSecret), isNull(twoFactor.confirmedAt)))
      .returning({ userId: twoFactor.userId });
    if (confirmed.length === 0) throw new AppError('conflict');
    return replaceRecoveryCodes(tx, userId);
  });
}

/** @throws AppError `conflict` while two-factor login is off */
export function renewRecoveryCodes(userId: string): Promise<string[]> {
  const change = { notice: 'recovery-codes-renewed', event: 'two-factor.codes-renewed' } as const;
  return changeAccount({ id: userId }, change, async (tx) => {
    if ((await tx.$count(twoFactor, and(ofUser(userId), isNotNull(twoFactor.confirmedAt)))) === 0)
      throw new AppError('conflict');
    return replaceRecoveryCodes(tx, userId);
  });
}

/**
 * Lets the account log in with its password alone.
 * @param by who turns it off, as the email and the account's activity say
 * @returns whether it was on
 */
export async function disableTwoFactor(userId: string, by: 'owner' | 'operator' = 'owner'): Promise<boolean> {
  const event = by === 'owner' ? 'two-factor.disabled' : 'two-factor.reset';
  const change = { notice: 'two-factor-disabled', event, by } as const;
  const disabled = await changeAccount({ id: userId }, change, async (tx) => {
    const [app] = await tx.delete(twoFactor).where(ofUser(userId)).returning();
    if (!app?.confirmedAt) return null;
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    return app;
  });
  return disabled !== null;
}
