import { createHmac } from 'node:crypto';
import { lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { env } from '@/lib/env';
import { AppError } from '@/lib/http/errors';
import { log } from '@/lib/log';

interface Window {
  tries: number;
  seconds: number;
}

const QUARTER = 15 * 60;
const HOUR = 3600;

/**
 * How often something may be tried: for one subject (a mail address, an account) from one client, and from one
 * client whatever the subject. Nothing is counted for a subject alone where a stranger could use it up, because
 * that would lock its owner out; the second factor, reached only with the right password, is the exception.
 */
const RULES = {
  login: { pair: { tries: 10, seconds: QUARTER }, client: { tries: 500, seconds: QUARTER } },
  /** By passkey, not by address: an unknown one tells nothing of whose account is wanted. */
  passkey: { pair: { tries: 10, seconds: QUARTER }, client: { tries: 500, seconds: QUARTER } },
  provider: { client: { tries: 500, seconds: QUARTER } },
  register: { pair: { tries: 10, seconds: HOUR }, client: { tries: 600, seconds: HOUR } },
  reset: { pair: { tries: 10, seconds: HOUR }, client: { tries: 300, seconds: HOUR } },
  resend: { pair: { tries: 10, seconds: HOUR }, client: { tries: 300, seconds: HOUR } },
  password: { pair: { tries: 10, seconds: QUARTER }, client: { tries: 500, seconds: QUARTER } },
  'second-factor': { pair: { tries: 10, seconds: QUARTER }, subject: { tries: 30, seconds: HOUR } },
} satisfies Record<string, Partial<Record<Scope, Window>>>;

type Scope = 'pair' | 'client' | 'subject';
export type Limit = keyof typeof RULES;

/** What is tried, and from where. */
export interface Try {
  subject: string;
  client: string;
}

const limiters = new Map<string, RateLimiterPostgres>();

/** rate-limiter-flexible asks for an object with pg's `query`; this is that over our own pool. */
const store = {
  query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => {
    const rows = await db().$client.unsafe(text, values, { prepare: true });
    return { rows, rowCount: rows.count };
  },
};

function limiter(limit: Limit, scope: Scope, { tries, seconds }: Window): RateLimiterPostgres {
  const name = `${limit}-${scope}`;
  let made = limiters.get(name);
  if (!made) {
    made = new RateLimiterPostgres({
      storeClient: store,
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: tries,
      duration: seconds,
      // What is refused is remembered here, so that a flood costs no queries either.
      inMemoryBlockOnConsumed: tries + 1,
    });
    limiters.set(name, made);
  }
  return made;
}

/** A keyed hash, as addresses are few enough to be found again from a plain one. */
function keyOf(scope: Scope, { subject, client }: Try): string {
  const parts = { pair: [subject, client], client: [client], subject: [subject] }[scope];
  return createHmac('sha256', env().AUTH_SECRET).update(JSON.stringify(parts)).digest('base64url');
}

function scopesOf(limit: Limit): [Scope, Window][] {
  return Object.entries(RULES[limit]) as [Scope, Window][];
}

/**
 * Counts a try, in one statement for each scope, so that parallel ones are counted too. The subject's own count
 * comes first: what it refuses is not counted against everybody else at that client.
 * @throws AppError `rate_limited`
 */
export async function countTry(limit: Limit, attempt: Try): Promise<void> {
  for (const [scope, window] of scopesOf(limit)) {
    try {
      await limiter(limit, scope, window).consume(keyOf(scope, attempt));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      log.warn({ event: 'limit.reached', limit, scope }, 'too many tries');
      throw new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
    }
  }
}

/** Takes back what was counted for a try that turned out to be the owner's: only failures are to add up. */
export async function forgiveTries(limit: Limit, attempt: Try): Promise<void> {
  for (const [scope, window] of scopesOf(limit)) {
    const counter = limiter(limit, scope, window);
    if (scope === 'client') await counter.reward(keyOf(scope, attempt));
    else await counter.delete(keyOf(scope, attempt));
  }
}

/** Removes the counters whose window has ended. */
export async function forgetOldTries(): Promise<void> {
  await db().delete(rateLimits).where(lt(rateLimits.expire, Date.now()));
}
