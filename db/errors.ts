import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import { UNAVAILABLE_DIGEST } from '@/lib/foundation/shared/unavailable-digest';
import { tracedQuery } from '@/lib/foundation/telemetry/spans';
import { isCertificateProblem } from './connection-problems';

/** Returns the SQLSTATE or driver code of a database error, however deeply it's wrapped. */
export function codeOf(error: unknown): string | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
  }
  return undefined;
}

/** Long enough to recognize a statement; a bulk insert lists thousands of placeholders. */
const STATEMENT_CHARACTERS = 500;

/**
 * A failed query, without its values. Drizzle's own error lists the parameters, and Postgres quotes the row in its
 * message, `detail`, and `where`, so none of them are kept: they contain journal text, and errors end up in logs and
 * in the job service. A statement's text contains only placeholders.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** The SQLSTATE, or the driver's code for a lost connection. */
  readonly code: string | undefined;
  /** For error pages. */
  readonly digest: string | undefined;

  constructor(cause: unknown, statement?: string) {
    const code = codeOf(cause);
    const named = cause instanceof Error && 'constraint_name' in cause ? cause.constraint_name : undefined;
    const constraint = typeof named === 'string' ? named : undefined;
    const facts = [code ?? 'no code', ...(constraint ? [`constraint ${constraint}`] : [])].join(', ');
    const text = statement?.replace(/\s+/g, ' ').trim().slice(0, STATEMENT_CHARACTERS);
    super(`A query failed (${facts})${text ? `: ${text}` : '.'}`);
    this.code = code;
    if (isDatabaseUnavailable(this)) this.digest = UNAVAILABLE_DIGEST;
    withSafeMessage(this);
  }
}

/**
 * Runs a query and rethrows any failure as a {@link QueryError}.
 * @param statement its text, with placeholders
 */
export async function redactQueryErrors<T>(
  statement: string | undefined,
  query: () => Promise<T>,
): Promise<T> {
  try {
    return await tracedQuery(statement, query);
  } catch (error) {
    throw error instanceof QueryError ? error : new QueryError(error, statement);
  }
}

/** Returns whether an error comes from the driver or from Drizzle, and so may quote values. */
export function isDriverError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'PostgresError' || 'query' in error);
}

/** Returns whether the row already exists (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
]);

/** No connection of ours was free in time, because the account's own requests hold its share of them. */
const ACCOUNT_LIMITED = 'ACCOUNT_POOL_TIMEOUT';

/**
 * Query canceled (by a timeout), lock not available, idle in a transaction for too long, deadlock, and no connection of
 * ours free in time.
 */
const RETRYABLE_CODES = new Set(['57014', '55P03', '25P03', '40P01', 'POOL_TIMEOUT', ACCOUNT_LIMITED]);

/** Returns whether a query failed only because other requests of the same account were using the database. */
export const isAccountLimited = (error: unknown): boolean => codeOf(error) === ACCOUNT_LIMITED;

/**
 * Returns whether the database doesn't answer or can't be verified, is starting or stopping (class 57P), or is out of
 * connections (class 53).
 */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return false;
  return UNREACHABLE_CODES.has(code) || isCertificateProblem(code) || /^(57P|53|08)/.test(code);
}

/**
 * Returns whether the database can't serve the request right now but a retry may succeed: it can't be reached, or it
 * gave up after a timeout or a deadlock.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDatabaseUnreachable(error) || RETRYABLE_CODES.has(codeOf(error) ?? '');
}
