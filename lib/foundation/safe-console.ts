import { safeError } from './safe-error';

const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Returns what may be printed of a value: errors reduced, with the digest by which Next tells them apart. */
function printable(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const digest = 'digest' in value ? value.digest : undefined;
  const isDigest = typeof digest === 'string' && /^\d+(@E\d+)?$/.test(digest);
  return Object.assign(safeError(value), isDigest ? { digest } : {});
}

/** Errors also come inside an object, which `console` prints with all that it holds. */
function printableFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return printable(value);
  const fields = Object.entries(value);
  if (!fields.some(([, field]) => field instanceof Error)) return value;
  return Object.fromEntries(fields.map(([key, field]) => [key, printable(field)]));
}

/**
 * Reduces every error that is printed from now on. Next prints what a page or a route throws by itself, with its cause
 * and its properties, so the log's own rules don't reach it.
 */
export function redactConsole(): void {
  const target = console;
  for (const method of METHODS) {
    const print = target[method].bind(target);
    target[method] = (...values: unknown[]) => print(...values.map(printableFields));
  }
}
