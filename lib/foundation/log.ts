import pino from 'pino';
import { requestScope } from './request-scope';
import { describeError } from './safe-error';
import { perProcess } from './shared/per-process';

const describeIfError = (value: unknown) => (value instanceof Error ? describeError(value) : value);

/** Describes every error among the fields, whatever its key. */
const describeErrors = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describeIfError(value)]));

/**
 * The structured log: one JSON line each, on stdout, with the request's id. Never log a password, a token, a
 * cookie, journal text or an email address: ids only. Errors are reduced to what {@link describeError} says.
 */
export const log = perProcess('log', () =>
  pino({
    // The log must work while the settings are being read.
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
  }),
);
