import { AsyncLocalStorage } from 'node:async_hooks';
import pino from 'pino';
import type { Client } from './http/client-address';

export interface RequestScope {
  requestId: string;
  client: Client;
  /** Set once something was put in the outbox, so that it is sent right after the answer. */
  outbox: boolean;
  /** What may wait until the answer is out. */
  afterwards: (() => Promise<void>)[];
}

// Next loads this module in several bundles; they must share one scope and one logger.
const shared = globalThis as typeof globalThis & {
  daylightScope?: AsyncLocalStorage<RequestScope>;
  daylightLog?: pino.Logger;
};

shared.daylightScope ??= new AsyncLocalStorage();

/** What belongs to the request at hand; empty in jobs and scripts. */
export const requestScope = shared.daylightScope;

/** An error as a log may show it: never the parameters of a query, which are journal text and addresses. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a thrown value that is no Error' };
  const code = 'code' in error ? error.code : undefined;
  // Drizzle puts the parameters in the message of its own error; the driver's error beneath has none.
  const message = error.message.startsWith('Failed query') ? 'Failed query' : error.message;
  const stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .join('\n');
  return {
    name: error.name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/**
 * The structured log: one JSON line each, on stdout, with the request's id. Never log a password, a token, a
 * cookie, journal text or a mail address: ids only.
 */
shared.daylightLog ??= pino({
  // biome-ignore lint/style/noProcessEnv: the log must work while the settings are being read
  level: process.env.LOG_LEVEL || 'info',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: () => {
    const scope = requestScope.getStore();
    return scope ? { requestId: scope.requestId } : {};
  },
  serializers: { err: describeError },
});

export const log = shared.daylightLog;
