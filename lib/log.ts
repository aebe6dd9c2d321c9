import { AsyncLocalStorage } from 'node:async_hooks';
import pino from 'pino';
import type { Client } from './http/client-address';
import { describeError } from './safe-error';

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

/** Describes every error among the fields, whatever its key. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const described = Object.entries(fields).map(([key, value]) => [
    key,
    value instanceof Error ? describeError(value) : value,
  ]);
  return Object.fromEntries(described);
}

/**
 * The structured log: one JSON line each, on stdout, with the request's id. Never log a password, a token, a
 * cookie, journal text or an email address: ids only. Errors are reduced to what {@link describeError} says.
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
  // pino's own serializers would run after the formatter and take what it made for a plain error.
  serializers: { err: (described: unknown) => described },
  formatters: { log: describeErrors },
  hooks: {
    // Libraries also pass a bare error, whose message pino would take for the line's.
    logMethod([first, ...rest], method) {
      const fields: unknown = first instanceof Error ? { err: first } : first;
      const text = rest.map((value: unknown) =>
        value instanceof Error ? describeError(value).message : value,
      );
      method.apply(this, [
        fields,
        ...(first instanceof Error && text.length === 0 ? ['error'] : text),
      ] as never);
    },
  },
});

export const log = shared.daylightLog;
