/** The SQLSTATE or driver code of a database error, however deep Drizzle has wrapped it. */
function codeOf(error: unknown): string | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
  }
  return undefined;
}

/** SQLSTATE 23505: the row exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

const AWAY = new Set([
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

/** Query canceled (by a timeout), lock not available, idle in a transaction for too long, deadlock. */
const GAVE_UP = new Set(['57014', '55P03', '25P03', '40P01']);

/** Whether the database doesn't answer, is starting or stopping (class 57P), or has no connection left (class 53). */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (AWAY.has(code) || /^(57P|53|08)/.test(code));
}

/**
 * Whether the database can't serve the request right now, and a later try may succeed: it can't be reached, or it gave
 * up after a timeout or a deadlock.
 */
export function isDatabaseAway(error: unknown): boolean {
  return isDatabaseUnreachable(error) || GAVE_UP.has(codeOf(error) ?? '');
}
