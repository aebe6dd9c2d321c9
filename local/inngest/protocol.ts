import { createHash, createHmac } from 'node:crypto';
import { isSameSecret } from '../loopback-server';

/** The HTTP protocol between Inngest and its SDK, read from `inngest` 4.24.0 (`helpers/consts`, `helpers/net`). */
export const headers = {
  signature: 'x-inngest-signature',
  syncKind: 'x-inngest-sync-kind',
  sdk: 'x-inngest-sdk',
  noRetry: 'x-inngest-no-retry',
  retryAfter: 'retry-after',
  requestVersion: 'x-inngest-req-version',
  runId: 'x-run-id',
  jobId: 'x-inngest-job-id',
  requestId: 'x-request-id',
} as const;

export const internalEvents = {
  failed: 'inngest/function.failed',
  cancelled: 'inngest/function.cancelled',
  scheduled: 'inngest/scheduled.timer',
} as const;

/** How old a signature may be, in milliseconds: the SDK's own limit. */
const SIGNATURE_AGE_MS = 5 * 60_000;

export type EventPayload = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** Unix time in milliseconds. */
  ts: number;
  user?: unknown;
  v?: unknown;
  meta?: unknown;
};

export type StepState = { type: 'data'; data: unknown } | { type: 'error'; error: unknown };

/** The body of a request that asks the app to run a function or one of its steps. */
export type ExecutionRequest = {
  version: 2;
  event: EventPayload;
  events: EventPayload[];
  steps: Record<string, StepState>;
  /** `fn_id` and `qi_id` are left out on purpose: the SDK then does not checkpoint. */
  ctx: {
    run_id: string;
    attempt: number;
    max_attempts: number;
    disable_immediate_execution: boolean;
    use_api: false;
    stack: { stack: string[]; current: number };
  };
};

/** What the app answers with status 206: something it found or did. */
export type Operation = {
  op: string;
  id: string;
  name?: string;
  displayName?: string;
  opts?: Record<string, unknown>;
  data?: unknown;
  error?: unknown;
};

export type SerializedError = { name: string; message: string; stack?: string; cause?: unknown };

/** Reads whatever an app sent as an error; never throws. */
export function readError(value: unknown): SerializedError {
  if (typeof value === 'object' && value !== null) {
    const { name, message, error, stack, cause } = value as Record<string, unknown>;
    const text = [message, error].find((part) => typeof part === 'string' && part !== '');
    return {
      name: typeof name === 'string' && name ? name : 'Error',
      message: typeof text === 'string' ? text : JSON.stringify(value).slice(0, 2000),
      ...(typeof stack === 'string' && stack ? { stack } : {}),
      ...(cause === undefined ? {} : { cause }),
    };
  }
  return { name: 'Error', message: typeof value === 'string' && value ? value : 'Unknown error' };
}

/**
 * JSON with sorted keys (RFC 8785), as the SDK computes it before signing. An object with a `toJSON` key is
 * left in its own order, because the SDK's `canonicalize` does so.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && value.toJSON != null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(',')}}`;
}

function withoutPrefix(signingKey: string): string {
  return signingKey.replace(/^signkey-\w+-/, '');
}

/** @throws Error when the key is not `signkey-<environment>-<hexadecimal>`, the only form both sides hash alike. */
export function assertSigningKey(signingKey: string): void {
  if (!/^signkey-\w+-([0-9a-f]{2}){16,}$/.test(signingKey)) {
    throw new Error(
      'The signing key must look like signkey-local-<at least 32 lower-case hexadecimal digits>.',
    );
  }
}

function signatureOf(text: string, signingKey: string, seconds: string): string {
  return createHmac('sha256', withoutPrefix(signingKey)).update(text).update(seconds).digest('hex');
}

/** The value of the signature header for a body that is already canonical JSON, or empty. */
export function sign(text: string, signingKey: string): string {
  const seconds = Math.round(Date.now() / 1000).toString();
  return `t=${seconds}&s=${signatureOf(text, signingKey, seconds)}`;
}

export function isSignedBy(signingKey: string, text: string, header: string | undefined): boolean {
  const parts = new URLSearchParams(header ?? '');
  const seconds = parts.get('t') ?? '';
  const age = Math.abs(Date.now() - Number.parseInt(seconds, 10) * 1000);
  if (!(age <= SIGNATURE_AGE_MS)) return false;
  return isSameSecret(signatureOf(text, signingKey, seconds), parts.get('s') ?? '');
}

/** What the app sends as a bearer token: the key's SHA-256 behind its prefix. */
export function hashSigningKey(signingKey: string): string {
  const prefix = signingKey.match(/^signkey-\w+-/)?.[0] ?? '';
  const hash = createHash('sha256').update(Buffer.from(withoutPrefix(signingKey), 'hex'));
  return `${prefix}${hash.digest('hex')}`;
}
