import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { twoFactor } from '@/db/schema/security';
import { recentActivity } from '@/lib/account/activity/service';
import { authenticate } from '@/lib/account/sessions/service';
import { latestEmailLink, useFreshDatabase } from '@/test/app-database';
import {
  logIn,
  newEmail,
  newUser,
  PASSWORD,
  registerAccount,
  resetPasswordByEmail,
  signupDetails,
} from '@/test/auth-fixtures';
import { newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { register } from './service';
import { type Registration, resendToRegistered, type VerifyingBrowser, verifyEmail } from './verification';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** Signs up as a browser does, and returns what its cookie says. */
async function signUp(email: string, password = PASSWORD): Promise<Registration> {
  const { accountId } = await register(signupDetails(email, password), newClientInfo());
  return { email, accountIds: [accountId], askedAt: Date.now(), next: undefined };
}

/** Opens the newest verification link to an address, in a browser with this cookie. */
async function openLink(
  to: string,
  registration: Registration | null,
  user: VerifyingBrowser['user'] = null,
) {
  const { uid, token } = await latestEmailLink(to, 'verify_email');
  return verifyEmail(uid, token, { registration, user, client: newClientInfo() });
}

const isVerified = async (email: string) => {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  return user?.verifiedAt !== null;
};

/** Expects that a link verified the address, and signed nobody in. */
async function expectVerifiedOnly(email: string, answer: Awaited<ReturnType<typeof verifyEmail>>) {
  expect(answer).toEqual({ accountStatus: 'VERIFIED', tokens: null });
  expect(await isVerified(email)).toBe(true);
}

describe('the browser that signed up', () => {
  it('is signed in by its verification link', async () => {
    const email = newEmail();
    const { accountStatus, tokens } = await openLink(email, await signUp(email));
    expect(accountStatus).toBe('VERIFIED');
    const user = await authenticate(tokens?.access);
    expect(user).toMatchObject({ email, verified: true });
    expect(tokens?.device).toBeDefined();
    const [newest] = await recentActivity(user?.id ?? '', 1);
    expect(newest).toMatchObject({ kind: 'login.accepted', detail: 'verification' });
  });

  it('is signed in by a link that it requested later, or after signing up twice', async () => {
    const email = newEmail();
    const first = await signUp(email);
    const again = await signUp(email, 'another try here');
    await db().execute(sql`update mail_links set created_at = now() - interval '2 minutes'`);
    await resendToRegistered(email);
    const accountIds = [...first.accountIds, ...again.accountIds];
    expect((await openLink(email, { ...again, accountIds })).tokens).not.toBeNull();
  });

  it('isn’t signed in by the link a second time', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    await openLink(email, registration);
    expect(await codeOf(openLink(email, registration))).toBe('invalid_or_expired_link');
  });

  it('switches from an unverified account that was signed in there', async () => {
    const mistyped = newEmail();
    await signUp(mistyped);
    const { tokens } = await logIn(mistyped, PASSWORD);
    const email = newEmail();
    const answer = await openLink(email, await signUp(email), await authenticate(tokens.access));
    expect(await authenticate(answer.tokens?.access)).toMatchObject({ email });
  });
});

describe('a verification link only verifies', () => {
  it('in a browser that didn’t sign up', async () => {
    const email = newEmail();
    await signUp(email);
    await expectVerifiedOnly(email, await openLink(email, null));
  });

  it('in a browser that signed up with another address', async () => {
    const email = newEmail();
    await signUp(email);
    await expectVerifiedOnly(email, await openLink(email, await signUp(newEmail())));
  });

  it('if somebody else had signed up with the address before', async () => {
    const email = newEmail();
    await signUp(email, 'what a stranger picked');
    await expectVerifiedOnly(email, await openLink(email, await signUp(email)));
  });

  it('if the cookie names the account with another address', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    await expectVerifiedOnly(email, await openLink(email, { ...registration, email: newEmail() }));
  });

  it('while another verified account is signed in there', async () => {
    const email = newEmail();
    await expectVerifiedOnly(email, await openLink(email, await signUp(email), await newUser()));
  });

  it('while the account itself is signed in there, whose session goes on', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    const { tokens } = await logIn(email, PASSWORD);
    const user = await authenticate(tokens.access);
    await expectVerifiedOnly(email, await openLink(email, registration, user));
    expect(await authenticate(tokens.access)).toMatchObject({ email, verified: true });
  });

  it('if the account has a second factor', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    const [userId = ''] = registration.accountIds;
    await db().insert(twoFactor).values({ userId, sealedSecret: 'sealed', confirmedAt: new Date() });
    await expectVerifiedOnly(email, await openLink(email, registration));
    const other = newEmail();
    expect((await openLink(other, await signUp(other))).tokens, 'another account’s').not.toBeNull();
  });

  it('if the address was already verified in another way', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    await db().update(users).set({ verifiedAt: new Date() }).where(eq(users.email, email));
    await expectVerifiedOnly(email, await openLink(email, registration));
  });

  it('if the session can’t be created', async () => {
    const email = newEmail();
    const registration = await signUp(email);
    await db().execute(sql`alter table sessions rename to sessions_away`);
    try {
      await expectVerifiedOnly(email, await openLink(email, registration));
    } finally {
      await db().execute(sql`alter table sessions_away rename to sessions`);
    }
  });
});

it('a reset makes the link of the browser that signed up void', async () => {
  const email = newEmail();
  const registration = await signUp(email);
  await resetPasswordByEmail(email);
  expect(await codeOf(openLink(email, registration))).toBe('invalid_or_expired_link');
});

it('signing up returns an id of no account for a taken address', async () => {
  const { email } = await registerAccount();
  const { accountStatus, accountId } = await register(signupDetails(email), newClientInfo());
  expect(accountStatus).toBe('NOT_VERIFIED');
  expect(accountId).toMatch(/^[\da-f-]{36}$/);
  expect(await db().select().from(users).where(eq(users.id, accountId))).toEqual([]);
});
