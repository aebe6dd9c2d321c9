import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { auditEvents } from '@/db/schema/security';
import { queuedEmails, useFreshDatabase } from '@/test/app-database';
import { newEmail } from '@/test/auth-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { buildPrograms } from '@/test/programs';
import { runUsers } from './commands';

let takeDown: () => Promise<void>;
let programs: Awaited<ReturnType<typeof buildPrograms>>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
  programs = await buildPrograms();
});
afterAll(async () => {
  await programs.remove();
  await takeDown();
});

/** Runs a command in this process. @param answer to its question; nobody is asked without one */
async function run(args: string[], answer?: boolean) {
  const said = { out: '', err: '', asked: '' };
  const code = await runUsers(args, {
    print: (text) => {
      said.out += text;
    },
    warn: (text) => {
      said.err += text;
    },
    ...(answer !== undefined && {
      confirm: async (question: string) => {
        said.asked = question;
        return answer;
      },
    }),
  });
  return { code, ...said };
}

const isOff = async (email: string) => {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  return user?.disabledAt !== null;
};

describe('npm run daylight -- users, as it’s built', () => {
  it('lists, invites, and explains itself, with an exit code for each outcome', async () => {
    const { email } = await makeUser();
    const guest = newEmail();
    const start = (args: string[], env = {}) => programs.start('users', env, args).ended;
    const [listed, invited, helped, unknown, typo, unset] = await Promise.all([
      start(['list', '--json']),
      start(['invite', ` ${guest.toUpperCase()} `]),
      start(['--help']),
      start(['disable', 'nobody@elsewhere.test']),
      start(['lits']),
      start(['list'], { DATABASE_URL: '' }),
    ]);
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.output).accounts).toContainEqual(
      expect.objectContaining({ email, plan: 'Free', status: 'active', twoFactor: false }),
    );
    expect(invited.code).toBe(0);
    expect(invited.output).toMatch(/^http:\/\/localhost:3000\/signup\?invite=[\w-]{43}$/m);
    expect((await queuedEmails(guest)).map(({ subject }) => subject)).toEqual(['You’re invited to Daylight']);
    expect([helped.code, helped.output]).toEqual([0, expect.stringContaining('reset-two-factor EMAIL')]);
    expect([unknown.code, unknown.output]).toEqual([1, 'There’s no account for nobody@elsewhere.test.\n']);
    expect([typo.code, typo.output]).toEqual([2, expect.stringContaining('Did you mean list?')]);
    expect([unset.code, unset.output]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
  });
});

describe('a command', () => {
  it('that turns something off asks first in a terminal, unless it’s told not to', async () => {
    const { email } = await makeUser();
    const declined = await run(['disable', email], false);
    expect([declined.code, declined.err]).toEqual([1, 'Nothing was changed.']);
    expect(declined.asked).toContain(email);
    expect(await isOff(email)).toBe(false);
    expect(await run(['disable', email, '--yes'], false)).toMatchObject({
      code: 0,
      out: expect.stringContaining('cancel that in Stripe'),
    });
    expect(await isOff(email)).toBe(true);
    expect(await run(['disable', email])).toMatchObject({
      code: 0,
      out: expect.stringContaining('already off'),
    });
    expect(await run(['enable', email], false)).toMatchObject({ code: 0, asked: '' });
    expect((await run(['reset-two-factor', email], true)).out).toContain('already off');
  });

  it('that can’t be read changes nothing', async () => {
    const { id, email } = await makeUser();
    for (const args of [
      [],
      ['disable'],
      ['disable', email, 'twice'],
      ['disable', 'no address'],
      ['disable', email, '--force'],
      ['plan', email, 'Gold'],
      ['toString', email],
    ]) {
      expect((await run(args, true)).code, args.join(' ')).toBe(2);
    }
    expect(await isOff(email)).toBe(false);
    expect(await db().$count(auditEvents, eq(auditEvents.userId, id))).toBe(0);
  });

  it('shows whose deletion is coming, on hold, or under way', async () => {
    const { id, email } = await makeUser();
    const statusOf = async () => (await run(['list'])).out.split('\n').find((line) => line.startsWith(email));
    await db()
      .insert(accountDeletions)
      .values({ userId: id, erasesAt: new Date('2030-04-05T12:00:00Z') });
    expect(await statusOf()).toMatch(/ active, deletion on 2030-04-05$/);
    await run(['disable', email]);
    expect(await statusOf()).toMatch(/ turned off, deletion on hold$/);
    await db().update(accountDeletions).set({ startedAt: new Date() }).where(eq(accountDeletions.userId, id));
    expect(await statusOf()).toMatch(/ being deleted$/);
  });

  it('shows plans, use, and invitations, and no control characters of a name', async () => {
    const { id, email } = await makeUser({ firstName: 'A\u001b[2Jda\u202e' });
    await makeEntry(id, { bytes: 1_500_000, durationMs: 120_000 });
    expect((await run(['plan', email, 'basic'])).out).toBe(`${email} now has Basic.`);
    const guest = newEmail();
    await run(['invite', guest]);
    const { out } = await run(['list']);
    const row = out.split('\n').find((line) => line.startsWith(email));
    expect(row).toContain('A[2Jda Lovelace');
    expect(row).toContain('Basic (set by you)');
    expect(row).toContain('1 video, 1.50 MB, 2 minutes');
    expect(row).toMatch(/never +off +active$/);
    expect(out).toContain(`\n${guest}`);
    expect((await run(['uninvite', guest])).code).toBe(0);
    expect((await run(['uninvite', guest])).err).toBe(`There’s no open invitation for ${guest}.`);
    expect((await run(['list'])).out).not.toContain(guest);
    expect((await run(['invite', email])).err).toBe(`${email} already has an account.`);
    expect((await run(['plan', email, 'default'])).out).toBe(`${email} has their own plan again.`);
  });
});
