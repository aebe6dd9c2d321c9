import { lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { anyOf } from '@/db/any-of';
import { db, type Transaction } from '@/db/client';
import { queryPrepared } from '@/db/prepared';
import { rateLimits } from '@/db/schema/limits';
import { AppError } from '@/lib/foundation/contract/errors';
import { siteNetwork } from '@/lib/foundation/http/client-address';
import { log } from '@/lib/foundation/log';
import { keyedHash } from './keyed-hash';

interface Window {
  tries: number;
  seconds: number;
}

const FIFTEEN_MINUTES = 15 * 60;
const HOUR = 3600;

/** What one client may try, whatever the subject. Limits that share a name here share one count. */
const CLIENT_WINDOWS = {
  'sign-in': { tries: 100, seconds: FIFTEEN_MINUTES },
  password: { tries: 100, seconds: FIFTEEN_MINUTES },
  register: { tries: 30, seconds: HOUR },
  mail: { tries: 60, seconds: HOUR },
} satisfies Record<string, Window>;

/** A /48 network of IPv6 holds many clients, so it gets more tries than each of them. */
const SITE_FACTOR = 10;

interface Rule {
  /** For one subject (an email address, an account) from one client. */
  pair?: Window;
  /** For one subject from everywhere. */
  subject?: Window;
  client?: keyof typeof CLIENT_WINDOWS;
}

/**
 * How often something may be tried. Nothing is counted for a subject alone where a stranger could use it up, because
 * that would lock its owner out. What's reached only with the right password or a session is the exception.
 */
const RULES = {
  login: { pair: { tries: 10, seconds: FIFTEEN_MINUTES }, client: 'sign-in' },
  /** By passkey, not by address: an unknown one tells nothing of whose account is wanted. */
  passkey: { pair: { tries: 10, seconds: FIFTEEN_MINUTES }, client: 'sign-in' },
  provider: { client: 'sign-in' },
  register: { pair: { tries: 10, seconds: HOUR }, client: 'register' },
  reset: { pair: { tries: 10, seconds: HOUR }, client: 'mail' },
  resend: { pair: { tries: 10, seconds: HOUR }, client: 'mail' },
  password: { pair: { tries: 10, seconds: FIFTEEN_MINUTES }, client: 'password' },
  'second-factor': { pair: { tries: 10, seconds: FIFTEEN_MINUTES }, subject: { tries: 30, seconds: HOUR } },
  /** Each reads a whole journal. */
  export: { subject: { tries: 60, seconds: HOUR } },
} satisfies Record<string, Rule>;

/** Whose tries are counted; `site` is the /48 network of a client's IPv6 address. */
type Scope = 'pair' | 'subject' | 'client' | 'site';
export type RateLimit = keyof typeof RULES;

/** What is tried, and from where. */
export interface Attempt {
  subject: string;
  client: string;
}

/** What refers to the subject, counted first: what it refuses isn't counted against everyone else at that client. */
export const SUBJECT_SCOPES: readonly Scope[] = ['pair', 'subject'];
export const CLIENT_SCOPES: readonly Scope[] = ['client', 'site'];
const ALL_SCOPES = [...SUBJECT_SCOPES, ...CLIENT_SCOPES];

const limiters = new Map<string, RateLimiterPostgres>();

/** rate-limiter-flexible asks for an object with pg's `query`; this is that over our own pool. */
const store = {
  query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => {
    const rows = await queryPrepared(text, values);
    return { rows, rowCount: rows.count };
  },
};

/** Tries in progress whose count may still be taken back; they must not block a client for the whole window. */
const IN_PROGRESS = 10;

function limiter(name: string, { tries, seconds }: Window): RateLimiterPostgres {
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
      // What keeps being refused is remembered here, so that a flood costs no queries either.
      inMemoryBlockOnConsumed: tries + IN_PROGRESS,
    });
    limiters.set(name, made);
  }
  return made;
}

/** The counters of a try in these scopes, in order, each with its key. */
function countersOf(limit: RateLimit, { subject, client }: Attempt, scopes: readonly Scope[]) {
  const rule: Rule = RULES[limit];
  const site = siteNetwork(client);
  const counters: { scope: Scope; limiter: RateLimiterPostgres; key: string }[] = [];
  const add = (scope: Scope, name: string, window: Window | undefined, parts: string[]) => {
    if (!window || !scopes.includes(scope)) return;
    counters.push({ scope, limiter: limiter(`${name}-${scope}`, window), key: keyedHash(parts) });
  };
  add('pair', limit, rule.pair, [subject, client]);
  add('subject', limit, rule.subject, [subject]);
  if (!rule.client) return counters;
  const window = CLIENT_WINDOWS[rule.client];
  add('client', rule.client, window, [client]);
  if (site) add('site', rule.client, { ...window, tries: window.tries * SITE_FACTOR }, [site]);
  return counters;
}

/**
 * Counts a try, in one statement for each scope, so that parallel ones are counted too.
 * @throws AppError `rate_limited`
 */
export async function countAttempt(
  limit: RateLimit,
  attempt: Attempt,
  scopes: readonly Scope[] = ALL_SCOPES,
): Promise<void> {
  for (const { scope, limiter, key } of countersOf(limit, attempt, scopes)) {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      log.warn({ event: 'limit.reached', limit, scope }, 'too many tries');
      throw new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
    }
  }
}

/** Takes back the count of one try that was never evaluated. */
export async function uncountAttempt(
  limit: RateLimit,
  attempt: Attempt,
  scopes: readonly Scope[],
): Promise<void> {
  for (const { limiter, key } of countersOf(limit, attempt, scopes)) await limiter.reward(key);
}

/** Takes back what was counted for a try that turned out to be the owner's: only failures add up. */
export async function resetAttempts(limit: RateLimit, attempt: Attempt): Promise<void> {
  for (const { limiter, key } of countersOf(limit, attempt, SUBJECT_SCOPES)) await limiter.delete(key);
  await uncountAttempt(limit, attempt, CLIENT_SCOPES);
}

/**
 * Deletes the counters of a subject from everywhere. Those that also depend on a client can't be told apart, and end
 * within an hour.
 */
export async function deleteRateLimitsOf(tx: Transaction, subject: string): Promise<void> {
  const keys = Object.keys(RULES).map((limit) => `${limit}-subject:${keyedHash([subject])}`);
  await tx.delete(rateLimits).where(anyOf(rateLimits.key, keys));
}

/** Removes the counters whose window has ended. */
export async function deleteExpiredRateLimits(): Promise<void> {
  await db().delete(rateLimits).where(lt(rateLimits.expire, Date.now()));
}
