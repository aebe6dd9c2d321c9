import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { setup } from '@/db/schema/setup';
import { recentActivity } from '@/lib/account/activity/service';
import { createInvitation, listInvitations } from '@/lib/account/invitations/service';
import { signInByProvider } from '@/lib/account/providers/sign-in';
import { authenticate } from '@/lib/account/sessions/service';
import { env } from '@/lib/foundation/env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { queuedEmails, useFreshDatabase } from '@/test/app-database';
import { logIn, makeProviderAccount, newEmail, PASSWORD, registerAccount } from '@/test/auth-fixtures';
import { expectRejection, newClientInfo } from '@/test/client-info';
import { codeOf } from '@/test/error-code';
import { setupNotice } from './printed-code';
import { checkSetupCode, isSetupOpen, offersSetup, setUp, setupCodeSource } from './service';

const asked: string[] = [];
let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase({ onQuery: (query) => asked.push(query) });
});
afterAll(() => takeDown());

/** Returns the code of a notice, or null. */
const codeIn = (notice: string | null) => /code (\d{4} \d{4})$/.exec(notice ?? '')?.[1] ?? null;

/** Does what `npm run db:migrate` does after the migrations. */
const printNotice = (renew = false) =>
  setupNotice(process.env.DATABASE_URL ?? '', { APP_URL: 'https://journal.example.com/' }, { renew });

/** Brings the site back to before its first account, which the app never does. Returns the printed code. */
async function startOver(): Promise<string> {
  await db().delete(users);
  await db().update(setup).set({ endedAt: null, codeHash: null, tries: 0, closedUntil: null });
  const code = codeIn(await printNotice());
  if (!code) throw new Error('no code was printed');
  return code;
}

let code: string;
beforeEach(async () => {
  env().SIGNUP = 'invite';
  env().SETUP_CODE = undefined;
  code = await startOver();
});

const check = (typed: string) => checkSetupCode(typed, newClientInfo());
const person = () => ({ email: newEmail(), firstName: 'Robin', lastName: 'Moreno', password: PASSWORD });
const open = (typed = code, who = person()) => setUp({ ...who, code: typed }, newClientInfo());
const readState = async () => (await db().select().from(setup))[0];
const countAccounts = () => db().$count(users);
/** A code that isn't the right one, whatever that is. */
const wrongCode = () => (code.startsWith('1') ? '2222 2222' : '1111 1111');

describe('the printed code', () => {
  it('is said once, and stored hashed', async () => {
    const { codeHash } = (await readState()) ?? {};
    expect(codeHash).toMatch(/^\$argon2id\$/);
    const plain = code.replace(' ', '');
    expect(JSON.stringify(await readState())).not.toContain(plain);
    const again = await printNotice();
    expect(again).toContain('https://journal.example.com/setup');
    expect(again).toContain('npm run db:migrate -- --new-setup-code');
    expect(codeIn(again)).toBeNull();
    await check(code);
  });

  it('is one code, however many deployments migrate at once', async () => {
    await db().update(setup).set({ codeHash: null });
    const notices = await Promise.all(Array.from({ length: 4 }, () => printNotice()));
    const codes = notices.map(codeIn).filter((one) => one !== null);
    expect(codes).toHaveLength(1);
    await check(codes[0] ?? '');
  });

  it('is replaced when the operator asks for another one, which opens a closed setup', async () => {
    await db().update(setup).set({ tries: 10, closedUntil: sql`now() + interval '1 hour'` });
    const next = codeIn(await printNotice(true)) ?? '';
    expect(await codeOf(check(code))).toBe('validation_failed');
    await check(next);
  });

  it('counts no more once the settings have one', async () => {
    expect(setupCodeSource()).toBe('log');
    env().SETUP_CODE = 'correcthorsebattery';
    expect(setupCodeSource()).toBe('settings');
    expect(await codeOf(check(code))).toBe('validation_failed');
    for (const typed of ['correcthorsebattery', 'correct horse-battery', ' correct – horse battery '])
      await check(typed);
    const settings = { APP_URL: 'https://journal.example.com', SETUP_CODE: 'correct horse battery' };
    const notice = await setupNotice(process.env.DATABASE_URL ?? '', settings, { renew: false });
    expect(notice).toBe(
      'Create the first account at https://journal.example.com/setup with the code in SETUP_CODE.',
    );
  });
});

describe('a setup code', () => {
  it('may be typed with spaces and hyphens, or without', async () => {
    for (const typed of [code.replace(' ', ''), code.replace(' ', '-'), ` ${[...code].join(' ')} `])
      await check(typed);
    expect((await readState())?.tries).toBe(0);
  });

  it('closes setup for an hour after ten wrong ones, whoever sends them, also for the right one', async () => {
    const wrong = await Promise.all(Array.from({ length: 14 }, () => codeOf(check(wrongCode()))));
    expect(wrong.filter((one) => one === 'validation_failed')).toHaveLength(10);
    expect(wrong.filter((one) => one === 'rate_limited')).toHaveLength(4);
    const refusal = await expectRejection(check(code));
    expect(refusal).toMatchObject({
      code: 'rate_limited',
      message: 'Too many wrong codes. Try again in 60 minutes.',
      fields: { code: refusal.message },
    });
    expect(refusal.retryAfter).toBeGreaterThan(3590);
    expect(refusal.retryAfter).toBeLessThanOrEqual(3600);
    expect(await codeOf(open())).toBe('rate_limited');
    expect(await countAccounts()).toBe(0);
    await db().update(setup).set({ closedUntil: sql`now() + interval '30 seconds'` });
    expect((await expectRejection(check(code))).message).toBe('Too many wrong codes. Try again in a minute.');

    await db().update(setup).set({ closedUntil: sql`now() - interval '1 second'` });
    for (let count = 0; count < 9; count += 1)
      expect(await codeOf(check(wrongCode()))).toBe('validation_failed');
    await open();
    expect(await countAccounts()).toBe(1);
  });

  it('counts right ones not at all', async () => {
    for (let count = 0; count < 9; count += 1) await codeOf(check(wrongCode()));
    for (let count = 0; count < 12; count += 1) await check(code);
    expect(await codeOf(check(wrongCode()))).toBe('validation_failed');
    expect(await codeOf(check(code))).toBe('rate_limited');
  });

  it('is never right where there’s none', async () => {
    await db().update(setup).set({ codeHash: null });
    expect(await codeOf(check('none'))).toBe('validation_failed');
  });
});

describe('the first account', () => {
  it.each(['open', 'invite', 'closed'] as const)('is made and signed in with SIGNUP=%s', async (mode) => {
    env().SIGNUP = mode;
    const who = person();
    const tokens = await open(code, who);
    expect(await authenticate(tokens.access)).toMatchObject({ email: who.email, verified: true });
    expect(tokens.device).toBeTruthy();
    const [row] = await db().select().from(users);
    expect(row).toMatchObject({ firstName: 'Robin', lastName: 'Moreno', gender: null, dateOfBirth: null });
    expect((await logIn(who.email, PASSWORD)).accountStatus).toBe('VERIFIED');
    const kinds = (await recentActivity(row?.id ?? '', 10)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['account.registered', 'login.accepted']));
    expect(await queuedEmails(who.email)).toEqual([]);
  });

  it('is one account when two right codes come at once', async () => {
    const outcomes = await Promise.allSettled([open(), open(), open()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(['not_found', 'not_found']);
    expect(await countAccounts()).toBe(1);
  });

  it('needs the code and an uncommon password, and ends nothing without', async () => {
    expect((await expectRejection(open(wrongCode()))).fields).toHaveProperty('code');
    const common = await expectRejection(open(code, { ...person(), password: 'password1' }));
    expect(common.fields).toHaveProperty('password');
    expect(await countAccounts()).toBe(0);
    await open();
  });

  it('uses up the invitation of its address', async () => {
    const who = person();
    await db().transaction((tx) => createInvitation(tx, who.email));
    await open(code, who);
    expect(await listInvitations()).toEqual([]);
  });
});

describe('setup ends forever', () => {
  it.each([
    ['setting up', () => open()],
    ['signing up', () => registerAccount()],
    ['a provider', () => signInByProvider(makeProviderAccount(), newClientInfo())],
  ])('with an account made by %s, also when that is deleted', async (_, make) => {
    env().SIGNUP = 'open';
    await make();
    for (const isDeleted of [false, true]) {
      if (isDeleted) await db().delete(users);
      expect(await codeOf(check(code))).toBe('not_found');
      expect(await codeOf(check(wrongCode()))).toBe('not_found');
      expect(await codeOf(open())).toBe('not_found');
      expect(await printNotice(true)).toBeNull();
    }
    expect(await readState()).toMatchObject({ codeHash: null, endedAt: expect.any(Date) });
  });

  it('waits for an account that’s being made by someone else', async () => {
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isInserted = () => {};
    const inserted = new Promise<void>((resolve) => {
      isInserted = resolve;
    });
    const other = db().transaction(async (tx) => {
      await tx
        .insert(users)
        .values({ id: crypto.randomUUID(), email: newEmail(), firstName: 'A', lastName: 'B' });
      isInserted();
      await held;
    });
    await inserted;
    const outcome = codeOf(open());
    commit();
    await other;
    expect(await outcome).toBe('not_found');
    expect(await countAccounts()).toBe(1);
  });

  it('has no second row to start again with', async () => {
    await expect(db().insert(setup).values({ id: false })).rejects.toThrow();
    await expect(db().insert(setup).values({ id: true })).rejects.toThrow();
  });
});

it('is offered to visitors who can’t sign up, without a query once it has ended', async () => {
  Object.assign(perProcess('setup', Object), { hasEnded: false });
  env().SIGNUP = 'open';
  asked.length = 0;
  expect(await offersSetup()).toBe(false);
  expect(asked).toEqual([]);
  for (const mode of ['invite', 'closed'] as const) {
    env().SIGNUP = mode;
    expect(await offersSetup()).toBe(true);
  }
  await db()
    .insert(users)
    .values({ id: crypto.randomUUID(), email: newEmail(), firstName: 'A', lastName: 'B' });
  expect(await isSetupOpen()).toBe(false);
  await db().delete(users).where(eq(users.firstName, 'A'));
  asked.length = 0;
  expect([await isSetupOpen(), await offersSetup()]).toEqual([false, false]);
  expect(asked).toEqual([]);
});
