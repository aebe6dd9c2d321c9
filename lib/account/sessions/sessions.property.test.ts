import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { refreshTokens } from '@/db/schema/accounts';
import { createSession } from '@/lib/account/sessions/create-session';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newClientInfo } from '@/test/client-info';
import {
  authenticate,
  endAllSessions,
  endOneSession,
  endOtherSessions,
  endSession,
  rotateSession,
} from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** The expected state of a session. */
interface Family {
  user: string;
  alive: boolean;
  /** Every refresh token it was ever given, with the time it was first exchanged, in seconds of the model's clock. */
  tokens: { refresh: string; spentAt: number | null; successor: string | null }[];
  access: string[];
}

interface Model {
  now: number;
  families: Family[];
}

/**
 * The actions on the server. Waits are multiples of ten seconds, so that no sum of them comes so close to the 30 s
 * grace period that the test's own run time could matter. `who` and `which` are taken modulo the number available.
 */
type Step =
  | { do: 'login' | 'signOutEverywhere' | 'changePassword'; who: number }
  | { do: 'wait'; seconds: number }
  | { do: 'renew'; which: number; token: number; tabs: number }
  | { do: 'logout' | 'revoke' | 'revokeOthers'; which: number };

const index = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('login' as const), who: index }) },
  {
    weight: 8,
    // Mostly the newest token, as a browser would send; now and then an old one.
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      which: index,
      token: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: index }),
      tabs: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(10, 20, 40) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('logout' as const, 'revoke', 'revokeOthers'), which: index }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('signOutEverywhere' as const, 'changePassword'), who: index }),
  },
);

async function sessionIdOf(family: Family): Promise<string> {
  return (await authenticate(family.access.at(-1)))?.sessionId ?? crypto.randomUUID();
}

async function login(model: Model, user: string): Promise<void> {
  const tokens = await db().transaction((tx) =>
    createSession(tx, { id: user, verified: true }, newClientInfo(), 'password'),
  );
  model.families.push({
    user,
    alive: true,
    access: [tokens.access],
    tokens: [{ refresh: tokens.refresh, spentAt: null, successor: null }],
  });
}

async function renew(model: Model, family: Family, back: number, tabs: number): Promise<void> {
  const token = family.tokens.at(-1 - (back % family.tokens.length));
  if (!token) return;
  const answers = await Promise.all(Array.from({ length: tabs }, () => rotateSession(token.refresh)));
  const inGrace = token.spentAt === null || model.now - token.spentAt < 30;
  for (const answer of answers) expect(answer !== null).toBe(family.alive && inGrace);
  if (!inGrace) family.alive = false;
  if (!family.alive) return;
  token.spentAt ??= model.now;
  const pairs = new Set(answers.map((answer) => `${answer?.access} ${answer?.refresh}`));
  expect(pairs.size).toBe(1);
  const [first] = answers;
  if (!first) return;
  // Reusing a token returns what its first exchange did, even after that token was exchanged in turn.
  token.successor ??= `${first.access} ${first.refresh}`;
  expect([...pairs]).toEqual([token.successor]);
  if (family.tokens.some(({ refresh }) => refresh === first.refresh)) return;
  family.tokens.push({ refresh: first.refresh, spentAt: null, successor: null });
  family.access.push(first.access);
}

async function run(model: Model, people: string[], command: Step): Promise<void> {
  if (command.do === 'wait') {
    model.now += command.seconds;
    await db()
      .update(refreshTokens)
      .set({ spentAt: sql`${refreshTokens.spentAt} - ${command.seconds} * interval '1 second'` });
    return;
  }
  if ('who' in command) {
    const user = people[command.who % people.length] ?? '';
    if (command.do === 'login') return login(model, user);
    await db().transaction((tx) => endAllSessions(tx, user));
    for (const family of model.families) if (family.user === user) family.alive = false;
    if (command.do === 'changePassword') await login(model, user);
    return;
  }
  const family = model.families[command.which % Math.max(model.families.length, 1)];
  if (!family) return;
  if (command.do === 'renew') return renew(model, family, command.token, command.tabs);
  const sessionId = await sessionIdOf(family);
  if (command.do === 'logout') await endSession({ refresh: family.tokens.at(-1)?.refresh ?? '' });
  if (command.do === 'revoke') {
    const ending = endOneSession(family.user, sessionId);
    if (family.alive) await ending;
    else await expect(ending).rejects.toThrow();
  }
  if (command.do !== 'revokeOthers') {
    family.alive = false;
    return;
  }
  if (!family.alive) return;
  await endOtherSessions(family.user, sessionId);
  for (const other of model.families) if (other.user === family.user && other !== family) other.alive = false;
}

it('any sequence of commands of two people leaves each session as alive as it should be', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const people = await Promise.all([1, 2].map(() => addUser(`${crypto.randomUUID()}@example.com`)));
      const model: Model = { now: 0, families: [] };
      for (const command of steps) {
        await run(model, people, command);
        for (const family of model.families) {
          const who = await authenticate(family.access.at(-1));
          expect(who?.id ?? null).toBe(family.alive ? family.user : null);
        }
      }
    }),
    { numRuns: 40 },
  );
}, 240_000);
