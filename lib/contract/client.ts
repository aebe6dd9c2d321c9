import type { z } from 'zod';
import type { Operation } from './operation';

/** A failed call, with the sentence to show; `fields` names bad inputs. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

interface ErrorBody {
  message?: string;
  code?: string;
  fields?: Record<string, string>;
}

async function failure(response: Response): Promise<ApiError> {
  const body: ErrorBody = await response.json().catch(() => ({}));
  return new ApiError(response.status, body.code ?? 'unknown', body.message ?? 'Network Error', body.fields);
}

let account: string | null = null;

/**
 * Names the account that this page was loaded for. Every call says so, and the server refuses it when the browser has
 * logged in to a different account since, in another tab.
 */
export function callAs(id: string | null): void {
  account = id;
}

interface CallOptions {
  body?: unknown;
  signal?: AbortSignal;
  /** Lets the call outlive the page; its body is small then. */
  keepalive?: boolean;
  /** Throws an ApiError of 401 when the session is gone, for callers that have something to save first. */
  stay?: boolean;
}

async function send(
  method: string,
  path: string,
  { body, signal, keepalive = false }: CallOptions = {},
): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(account === null ? {} : { 'x-account-id': account }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      keepalive,
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, 'network', 'Network Error');
  }
}

/**
 * When this browser last renewed its session, in milliseconds since 1970; all tabs read and write it. A cookie, as
 * tabs are processes: what one of them writes to local storage, another may see a moment later. It is kept for a minute,
 * for the calls that are under way.
 */
const RENEWED_AT = 'daylight.renewed';

const lastRenewal = () => Number(document.cookie.match(`${RENEWED_AT}=(\\d+)`)?.[1] ?? 0);

function noteRenewal(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${RENEWED_AT}=${Date.now()}; path=/; max-age=60; samesite=lax`;
}

let renewing: Promise<boolean> | undefined;

/**
 * Renews the session once, whatever number of calls and tabs ask for it at the same time: whoever had to wait for
 * the lock looks first whether another tab has done it meanwhile, as the cookies are the same.
 * @param sentAt when the call that was refused had been sent, in milliseconds since 1970
 */
function renew(sentAt: number): Promise<boolean> {
  const ask = async () => {
    if (lastRenewal() > sentAt) return true;
    const { ok } = await send('POST', '/token/refresh');
    if (ok) noteRenewal();
    return ok;
  };
  renewing ??= Promise.resolve(navigator.locks ? navigator.locks.request('daylight-refresh', ask) : ask())
    .then((ok) => ok)
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

function goToLogin(): never {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(here)}`);
  throw new ApiError(401, 'unauthenticated', 'Refresh token expired');
}

/** Answers of 401 that say something else than that the session has expired. */
const NEVER_RENEWED = /^\/(login|verify_email|token\/refresh)/;

/**
 * Calls the API. An answer of 401 renews the session once and tries once more; when that fails the page goes
 * to /login.
 * @param path below `/api/v1`, already encoded
 * @throws ApiError with the answer's message, or 'Network Error' when there is none
 */
export async function api<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const sentAt = Date.now();
  let response = await send(method, path, options);
  if (response.status === 401 && !NEVER_RENEWED.test(path)) {
    const renewed = await renew(sentAt);
    if (renewed) response = await send(method, path, options);
    // Also when signed out in another tab, just now.
    if (response.status === 401 && !options.stay) goToLogin();
  }
  if (!response.ok) throw await failure(response);
  try {
    return (await response.json()) as Answer;
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    // The connection went while the answer came, or somebody between gave one of their own.
    throw new ApiError(0, 'network', 'Network Error');
  }
}

/**
 * How the browser reaches an operation: its method and path, and by type all that its contract declares. Listed in
 * `lib/<noun>/routes.ts`, so that no schema is sent to the browser; one that no longer fits its contract doesn't compile.
 */
export interface Route<O extends Operation> {
  readonly method: O['method'];
  readonly path: O['path'];
  /** Never set: carries the contract's type. */
  readonly contract?: O;
}

type Input<O extends Operation> = (O extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : { params?: undefined }) &
  (O extends { query: infer Q extends z.ZodType } ? { query?: z.input<Q> } : { query?: undefined }) &
  (O extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : { body?: undefined });

/** What an operation answers, as JSON. */
export type Answer<O extends Operation> = O extends { answer: infer A extends z.ZodType }
  ? z.output<A>
  : undefined;

type Options<O extends Operation> = Input<O> & Omit<CallOptions, 'body'>;

/** All that an operation needs is optional when it needs nothing. */
type Arguments<O extends Operation> =
  object extends Options<O> ? [options?: Options<O>] : [options: Options<O>];

function addressOf(path: string, params: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/**
 * Calls an operation of the API: `call(updateEntry, { params: { id }, body: { title } })`. An answer of 401 renews
 * the session once and tries once more; when that fails the page goes to /login.
 * @throws ApiError with the answer's message, or 'Network Error' when there is none
 */
export async function call<O extends Operation>(
  route: Route<O>,
  ...[options]: Arguments<O>
): Promise<Answer<O>> {
  const { params, query, ...rest } = (options ?? {}) as Options<Operation>;
  return api<Answer<O>>(route.method, addressOf(route.path, params, query as object | undefined), rest);
}
