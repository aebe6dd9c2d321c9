import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { knownDevices } from '@/db/schema/security';
import { presentEvent, recentActivity } from '@/lib/account/activity/service';
import { eraseDueAccounts } from '@/lib/account/deletion/erase';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { register, requestReset, resetPassword } from '@/lib/account/registration/service';
import { resendToRegistered, verifyEmail } from '@/lib/account/registration/verification';
import { changePassword } from '@/lib/account/security/service';
import { authenticate, rotateSession } from '@/lib/account/sessions/service';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  createFullAccount,
  enableAuthenticatorApp,
  logIn,
  makeProviderAccount,
  newEmail,
  PASSWORD,
  signInUser,
  signupDetails,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { makeEntry, makeUser } from '@/test/factories';
import { undoLatestNotice } from '@/test/security-notices';
import { disableAccount, enableAccount, grantPlan, listAccounts, resetTwoFactor } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const TURNED_OFF = 'This account is turned off. Contact the site’s administrator.';

/** What the owner reads in Activity, the latest first. */
const activity = async (userId: string) =>
  (await recentActivity(userId, 100)).map((event) => presentEvent(event).what);

describe('an account that is turned off', () => {
  it('is signed out at once, and no way to sign in works until it is turned back on', async () => {
    const { id, email, user, tokens, google, key } = await createFullAccount();
    expect(await disableAccount(email)).toBe(true);
    expect(await authenticate(tokens.access)).toBeNull();
    expect(await rotateSession(tokens.refresh)).toBeNull();
    expect((await expectRejection(logIn(email, PASSWORD))).message).toBe(TURNED_OFF);
    expect((await expectRejection(key.signIn())).message).toBe(TURNED_OFF);
    expect(await signInByProvider(google, newClientInfo())).toEqual({ problem: 'disabled' });
    // Nor does a provider with the same address change anything about it.
    const sameAddress = makeProviderAccount({ email });
    expect(await signInByProvider(sameAddress, newClientInfo())).toEqual({ problem: 'disabled' });
    const change = { newPassword: 'another one for me', currentPassword: PASSWORD };
    expect(await codeOf(changePassword(user, change, newClientInfo()))).toBe('unauthenticated');

    expect(await enableAccount(email)).toBe(true);
    expect(await authenticate(tokens.access)).toBeNull();
    for (const signIn of [() => logIn(email, PASSWORD), key.signIn]) {
      expect((await authenticate((await signIn()).tokens.access))?.id).toBe(id);
    }
    expect(await signInByProvider(google, newClientInfo())).toHaveProperty('tokens');
    expect(await activity(id)).toContain('Account turned back on by the site’s administrator');
  });

  it('is told only to who has its password', async () => {
    const { email } = await createFullAccount();
    await disableAccount(email);
    const wrong = await expectRejection(logIn(email, 'not the password'));
    const unknown = await expectRejection(logIn(newEmail(), 'not the password'));
    expect([wrong.code, wrong.message]).toEqual([unknown.code, unknown.message]);
    expect((await expectRejection(logIn(email, PASSWORD))).code).toBe(unknown.code);
  });

  it('leaves no session to sign-ins that were under way', async () => {
    const { id, email } = await createFullAccount();
    const signIns = Array.from({ length: 6 }, () => signInUser(id).catch(() => null));
    await disableAccount(email);
    for (const signedIn of await Promise.all(signIns)) {
      expect(signedIn && (await authenticate(signedIn.tokens.access))).toBeNull();
    }
  });

  it('can’t be opened by links, neither those sent before nor new ones', async () => {
    const { email } = await createFullAccount();
    await requestReset(email);
    const before = await latestEmailLink(email, 'reset');
    const unverified = newEmail();
    await register(signupDetails(unverified), newClientInfo());
    const verification = await latestEmailLink(unverified, 'verify_email');
    await disableAccount(email);
    await disableAccount(unverified);
    const reset = ({ uid, token }: { uid: string; token: string }) =>
      codeOf(resetPassword(uid, token, 'a new one for me', newClientInfo()));
    expect(await reset(before)).toBe('invalid_or_expired_link');
    await requestReset(email);
    expect(await reset(await latestEmailLink(email, 'reset'))).toBe('invalid_or_expired_link');
    await resendToRegistered(unverified);
    const { uid, token } = await latestEmailLink(unverified, 'verify_email');
    expect(await codeOf(verifyEmail(verification.uid, verification.token))).toBe('invalid_or_expired_link');
    expect(await codeOf(verifyEmail(uid, token))).toBe('invalid_or_expired_link');
    await enableAccount(email);
    expect((await logIn(email, PASSWORD)).accountStatus).toBe('VERIFIED');
    await requestReset(email);
    expect(await reset(await latestEmailLink(email, 'reset'))).toBe('ok');
  });

  it('keeps its journal', async () => {
    const user = await makeUser();
    await makeEntry(user.id);
    await disableAccount(user.email);
    expect(await db().$count(entries, eq(entries.userId, user.id))).toBe(1);
    expect(await disableAccount(user.email)).toBe(false);
    const listed = (await listAccounts()).find(({ email }) => email === user.email);
    expect(listed).toMatchObject({ videos: 1, bytes: 1000, seconds: 60, verified: true, twoFactor: false });
    expect(listed?.disabledAt).toBeInstanceOf(Date);
  });
});

it('accounts are listed with their own last use', async () => {
  const [first, second] = [await makeUser(), await makeUser()];
  for (const [{ id }, day] of [
    [first, '2026-03-01'],
    [second, '2026-04-01'],
  ] as const) {
    const { user } = await signInUser(id);
    await db()
      .update(sessions)
      .set({ lastSeenAt: new Date(day) })
      .where(eq(sessions.id, user.sessionId));
    await db()
      .update(knownDevices)
      .set({ lastSeenAt: new Date(day) })
      .where(eq(knownDevices.userId, id));
  }
  const listed = await listAccounts();
  const seen = [first, second].map(({ email }) => listed.find((one) => one.email === email)?.lastSeenAt);
  expect(seen).toEqual([new Date('2026-03-01'), new Date('2026-04-01')]);
});

describe('an account that is turned off while its deletion is due', () => {
  const erasure = async (userId: string) =>
    (await db().select().from(accountDeletions).where(eq(accountDeletions.userId, userId)))[0];
  const DAY_MS = 24 * 3_600_000;

  it('isn’t erased, and its owner has seven days to keep it once it’s on again', async () => {
    const user = await makeUser();
    const erasesAt = new Date(Date.now() - 60_000);
    await db().insert(accountDeletions).values({ userId: user.id, erasesAt });
    await disableAccount(user.email);
    await eraseDueAccounts();
    expect(await erasure(user.id)).toMatchObject({ erasesAt, startedAt: null });
    const before = Date.now();
    await enableAccount(user.email);
    const moved = (await erasure(user.id))?.erasesAt.getTime() ?? 0;
    expect(moved).toBeGreaterThan(before + 7 * DAY_MS - 60_000);
    const [mail] = await queuedEmails(user.email);
    expect(mail?.subject).toMatch(/^Your account will be deleted on /);
    await eraseDueAccounts();
    expect(await erasure(user.id)).toMatchObject({ startedAt: null });
  });

  it('keeps a later day', async () => {
    const user = await makeUser();
    const erasesAt = new Date(Date.now() + 30 * DAY_MS);
    await db().insert(accountDeletions).values({ userId: user.id, erasesAt });
    await disableAccount(user.email);
    await enableAccount(user.email);
    expect(await erasure(user.id)).toMatchObject({ erasesAt });
    expect(await queuedEmails(user.email)).toEqual([]);
  });
});

describe('resetting two-factor login', () => {
  it('lets the password alone log in, and emails the owner a link that undoes it', async () => {
    const { id, email, user } = await createFullAccount();
    const { recoveryCodes } = await enableAuthenticatorApp(user);
    expect(await resetTwoFactor(email)).toBe(true);
    expect(await twoFactorState(id)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect((await logIn(email, PASSWORD)).accountStatus).toBe('VERIFIED');
    expect((await activity(id)).slice(1)).toContain(
      'Two-factor login turned off by the site’s administrator',
    );
    const mail = (await queuedEmails(email)).findLast(({ subject }) => /Two-factor/.test(subject));
    expect(mail?.text).toContain('The site’s administrator made this change.');
    expect(await resetTwoFactor(email)).toBe(false);
    await undoLatestNotice(email, 'Two-factor login was turned off');
    expect((await expectRejection(logIn(email, PASSWORD))).fields).toHaveProperty('code');
    expect((await logIn(email, PASSWORD, recoveryCodes[0])).accountStatus).toBe('VERIFIED');
  });
});

describe('a plan that the operator gives', () => {
  it('starts the videos that waited for a larger one, and shows in Activity', async () => {
    const { id, email } = await makeUser();
    const { id: entryId } = await makeEntry(id, {
      videoStatus: 'failed',
      heldByPlan: true,
      durationMs: PLAN_LIMITS.Free.seconds * 1000 + 1,
    });
    expect(await grantPlan(email, 'Standard')).toBe(true);
    expect(await grantPlan(email, 'Standard')).toBe(false);
    const [entry] = await db().select().from(entries).where(eq(entries.id, entryId));
    expect(entry).toMatchObject({ heldByPlan: false, videoStatus: 'processing' });
    expect(await activity(id)).toEqual(['The site’s administrator set your plan to Standard']);
    expect((await listAccounts()).find((one) => one.email === email)).toMatchObject({
      grantedPlan: 'Standard',
    });
    expect(await grantPlan(email, null)).toBe(true);
    expect(await grantPlan(email, null)).toBe(false);
    expect((await activity(id))[0]).toBe('The site’s administrator took back the plan they gave you');
  });
});

it('suggests the address that was probably meant', async () => {
  const { email } = await makeUser({ email: `ada-${newEmail()}` });
  const typo = email.replace('example', 'exmaple');
  expect((await expectRejection(disableAccount(typo))).message).toBe(
    `There’s no account for ${typo}. Did you mean ${email}?`,
  );
  expect((await expectRejection(enableAccount('nobody@elsewhere.test'))).message).toBe(
    'There’s no account for nobody@elsewhere.test.',
  );
});
