import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { invitations, users } from '@/db/schema/accounts';
import { setup } from '@/db/schema/setup';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { register } from '@/lib/account/registration/service';
import { verifyEmail } from '@/lib/account/registration/verification';
import { setUp } from '@/lib/account/setup/service';
import { env } from '@/lib/foundation/env';
import { invite } from '@/lib/operations/operators/service';
import { latestEmailLink, queuedEmails, useFreshDatabase } from '@/test/app-database';
import {
  createAccount,
  logIn,
  makeProviderAccount,
  newEmail,
  PASSWORD,
  signupDetails,
} from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { duringTransaction } from '@/test/open-transaction';
import { createInvitation, deleteExpiredInvitations, findInvitedAddress, redeemInvitation } from './service';

const asked: string[] = [];
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({
    settings: { SIGNUP: 'invite' },
    onQuery: (query) => asked.push(query),
  });
});
afterAll(() => takeDown());

const tokenIn = (text: string) => /\/signup\?invite=([\w-]{43})\b/.exec(text)?.[1] ?? '';

/** Invites an address. Returns the token of its email, and the one that the operator sees. */
async function inviteSomebody(email = newEmail()) {
  const shown = tokenIn(await invite(email));
  const mailed = tokenIn((await queuedEmails(email)).at(-1)?.text ?? '');
  return { email, shown, mailed };
}

const signUp = (email: string, token?: string) =>
  register({ ...signupDetails(email), ...(token !== undefined && { invite: token }) }, newClientInfo());

const countAccounts = (email: string) => db().$count(users, eq(users.email, email));
const subjects = async (email: string) => (await queuedEmails(email)).map(({ subject }) => subject);

describe('signing up by invitation', () => {
  it('verifies the address when the link came by email', async () => {
    const { email, mailed } = await inviteSomebody();
    expect(await findInvitedAddress(mailed)).toBe(email);
    expect(await signUp(email, mailed)).toMatchObject({ accountStatus: 'VERIFIED' });
    expect((await logIn(email, PASSWORD)).accountStatus).toBe('VERIFIED');
    expect(await subjects(email)).toEqual(['You’re invited to Daylight']);
  });

  it('sends a verification email when the link was handed over some other way', async () => {
    const { email, shown, mailed } = await inviteSomebody();
    expect(shown).not.toBe(mailed);
    expect(await signUp(email, shown)).toMatchObject({ accountStatus: 'NOT_VERIFIED' });
    expect((await logIn(email, PASSWORD)).accountStatus).toBe('NOT_VERIFIED');
    const { uid, token } = await latestEmailLink(email, 'verify_email');
    expect(await verifyEmail(uid, token)).toMatchObject({ accountStatus: 'VERIFIED' });
  });

  it('works once, whichever link is used, and however often at a time', async () => {
    const { email, mailed, shown } = await inviteSomebody();
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => codeOf(signUp(email, index % 2 ? mailed : shown))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', 'invalid_or_expired_link']));
    expect(await countAccounts(email)).toBe(1);
    expect(await findInvitedAddress(mailed)).toBeNull();
  });

  it('is for the invited address only', async () => {
    const { mailed, email } = await inviteSomebody();
    const other = newEmail();
    expect(await codeOf(signUp(other, mailed))).toBe('invalid_or_expired_link');
    expect(await countAccounts(other)).toBe(0);
    expect(await findInvitedAddress(mailed)).toBe(email);
  });

  it('uses up its own invitation and no other, and none for another address or too late', async () => {
    const [one, other] = [await inviteSomebody(), await inviteSomebody()];
    const redeem = (email: string, token: string) =>
      db().transaction((tx) => redeemInvitation(tx, email, token));
    const left = async () => [await findInvitedAddress(one.shown), await findInvitedAddress(other.mailed)];
    for (const token of [other.mailed, other.shown, 'no token'])
      expect(await codeOf(redeem(one.email, token))).toBe('invalid_or_expired_link');
    expect(await left()).toEqual([one.email, other.email]);
    expect(await redeem(one.email, one.mailed)).toEqual({ provesAddress: true });
    expect(await left()).toEqual([null, other.email]);
    await db().update(invitations).set({ expiresAt: sql`now()` }).where(eq(invitations.email, other.email));
    expect(await codeOf(redeem(other.email, other.shown))).toBe('invalid_or_expired_link');
    expect(await db().$count(invitations, eq(invitations.email, other.email))).toBe(1);
  });

  it('takes the link of the latest invitation, until that is too old', async () => {
    const first = await inviteSomebody();
    const second = await inviteSomebody(first.email);
    expect(await codeOf(signUp(first.email, first.mailed))).toBe('invalid_or_expired_link');
    expect(await codeOf(signUp(first.email, first.shown))).toBe('invalid_or_expired_link');
    await db().update(invitations).set({ expiresAt: sql`now()` }).where(eq(invitations.email, first.email));
    expect(await codeOf(signUp(second.email, second.mailed))).toBe('invalid_or_expired_link');
    expect(await findInvitedAddress(second.mailed)).toBeNull();
    await deleteExpiredInvitations();
    expect(await db().$count(invitations, eq(invitations.email, first.email))).toBe(0);
  });

  it('refuses everybody else the same way, whether or not the address has an account or an invitation', async () => {
    const taken = newEmail();
    await createAccount(taken);
    const { email: invited } = await inviteSomebody();
    const refusals: { error: unknown; questions: string[] }[] = [];
    for (const [email, token] of [
      [newEmail(), undefined],
      [taken, undefined],
      [invited, undefined],
    ] as const) {
      asked.length = 0;
      const { code, message } = await expectRejection(signUp(email, token));
      refusals.push({ error: { code, message }, questions: [...asked] });
    }
    expect(refusals[0]?.error).toEqual({
      code: 'invalid_or_expired_link',
      message: 'You need an invitation to sign up on this site. Ask the site’s administrator for one.',
    });
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
    const unknown = 'x'.repeat(43);
    const wrong = await Promise.all(
      [newEmail(), taken, invited].map((email) => codeOf(signUp(email, unknown))),
    );
    expect(new Set(wrong)).toEqual(new Set(['invalid_or_expired_link']));
    expect(await subjects(taken)).toEqual([]);
  });

  it('keeps neither token in the database', async () => {
    const { email, mailed, shown } = await inviteSomebody();
    const [row] = await db().select().from(invitations).where(eq(invitations.email, email));
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${mailed}|${shown}`));
  });
});

describe('a provider', () => {
  it('opens an account for a verified address that was invited, once', async () => {
    const { email, mailed } = await inviteSomebody();
    const account = makeProviderAccount({ email });
    const outcomes = await Promise.all([1, 2].map(() => signInByProvider(account, newClientInfo())));
    expect(outcomes.every((outcome) => 'tokens' in outcome)).toBe(true);
    expect(await countAccounts(email)).toBe(1);
    expect(await codeOf(signUp(email, mailed))).toBe('invalid_or_expired_link');
    expect(await signInByProvider(account, newClientInfo())).toHaveProperty('tokens');
  });

  it('opens none for any other, and still signs in who has one', async () => {
    const stranger = makeProviderAccount();
    expect(await signInByProvider(stranger, newClientInfo())).toEqual({ problem: 'uninvited' });
    expect(await countAccounts(stranger.email ?? '')).toBe(0);
    const { email } = await inviteSomebody();
    const unverified = makeProviderAccount({ email: null });
    expect(await signInByProvider(unverified, newClientInfo())).toEqual({ problem: 'unverified' });
    expect(await countAccounts(email)).toBe(0);
    const known = newEmail();
    await createAccount(known);
    const own = makeProviderAccount({ email: known });
    expect(await signInByProvider(own, newClientInfo())).toHaveProperty('tokens');
  });
});

describe('while sign-up is closed', () => {
  beforeAll(() => {
    env().SIGNUP = 'closed';
  });

  it('nobody registers, with an invitation or without, and the answer doesn’t tell who has an account', async () => {
    const [invited, taken] = [newEmail(), newEmail()];
    await createAccount(taken);
    const { mailLink } = await db().transaction((tx) => createInvitation(tx, invited));
    const attempts = [
      signupDetails(newEmail()),
      signupDetails(taken),
      { ...signupDetails(invited), invite: tokenIn(mailLink) },
    ];
    for (const attempt of attempts) {
      const { code, message } = await expectRejection(register(attempt, newClientInfo()));
      expect({ code, message }).toEqual({ code: 'conflict', message: 'Sign-up is closed on this site.' });
    }
    expect(await countAccounts(invited)).toBe(0);
    expect(await queuedEmails(taken)).toEqual([]);
  });

  it('no provider opens an account, and whoever has one gets in', async () => {
    const stranger = makeProviderAccount();
    await db().transaction((tx) => createInvitation(tx, stranger.email ?? ''));
    expect(await signInByProvider(stranger, newClientInfo())).toEqual({ problem: 'closed' });
    expect(await countAccounts(stranger.email ?? '')).toBe(0);
    const email = newEmail();
    await createAccount(email);
    expect((await logIn(email, PASSWORD)).accountStatus).toBe('VERIFIED');
    expect(await signInByProvider(makeProviderAccount({ email }), newClientInfo())).toHaveProperty('tokens');
  });

  it('nobody can be invited', async () => {
    expect((await expectRejection(invite(newEmail()))).message).toBe(
      'Sign-up is closed on this site. Set SIGNUP=invite first.',
    );
  });
});

it('an invitation that’s being used ends setup with it, without a deadlock', async () => {
  Object.assign(env(), { SIGNUP: 'invite', SETUP_CODE: '12345678' });
  const { email, mailed } = await inviteSomebody();
  await db().update(setup).set({ endedAt: null, tries: 0, closedUntil: null });
  const person = { email, firstName: 'Robin', lastName: 'Moreno' };
  const made = await duringTransaction(
    (tx) => redeemInvitation(tx, email, mailed),
    () => setUp({ ...person, password: PASSWORD, code: '12345678' }, newClientInfo()),
    { finish: (tx) => tx.insert(users).values({ ...person, id: crypto.randomUUID() }) },
  );
  const reason = expect.objectContaining({ code: 'not_found' });
  expect(made).toEqual({ waited: true, outcome: { status: 'rejected', reason } });
  expect(await countAccounts(email)).toBe(1);
});
