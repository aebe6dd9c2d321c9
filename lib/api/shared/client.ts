import type { z } from 'zod';
import type { Operations } from '@/lib/api/operations';
import { ApiError, toApiError } from '@/lib/foundation/contract/shared/api-error';
import { compressBody, LONGEST_PLAIN } from './compress-body';

/** An operation as the browser names it: "POST /entry/:id". Only a type, so no schema is sent to the browser. */
type OperationName = keyof Operations;

type Operation = Operations[OperationName];

/** Makes keys that may be undefined optional. Zod requires the keys of a `preprocess`, whose input is unknown. */
type Lenient<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** Makes the query optional when none of its keys are required. */
type QueryOption<Q> = object extends Q ? { query?: Q } : { query: Q };

type Input<O extends Operation> = (O extends { params: infer P extends z.ZodType }
  ? { params: z.input<P> }
  : { params?: undefined }) &
  (O extends { query: infer Q extends z.ZodType }
    ? QueryOption<Lenient<z.input<Q>>>
    : { query?: undefined }) &
  (O extends { body: infer B extends z.ZodType } ? { body: z.input<B> } : { body?: undefined });

interface CallOptions {
  signal?: AbortSignal;
  /** Lets the call outlive the page. Browsers limit its body to 64 kB. */
  keepalive?: boolean;
  /** Gets the headers of a successful response, such as `X-Total-Count`. */
  onHeaders?: (headers: Headers) => void;
  /** Throws an ApiError of 401 instead of going to /login when the session is gone. */
  onExpired?: 'throw';
}

type Options<O extends Operation> = Input<O> & CallOptions;

/**
 * The types of each operation's call. They're looked up by its name: the compiler gives up on what all operations have in
 * common.
 */
type Calls = {
  [N in OperationName]: {
    /** The options can be left out when nothing in them is required. */
    arguments: object extends Options<Operations[N]>
      ? [options?: Options<Operations[N]>]
      : [options: Options<Operations[N]>];
    body: Options<Operations[N]>['body'];
    response: z.output<Operations[N]['response']>;
  };
};

/** The body that an operation takes: `Body<'POST /login'>`. */
export type Body<N extends OperationName> = Calls[N]['body'];

/** What an operation responds with: `ResponseBody<'GET /plans'>`. */
export type ResponseBody<N extends OperationName> = Calls[N]['response'];

let account: string | null = null;

/**
 * Sets the account that this page was loaded for. Every call sends it, and the server rejects the call if the browser
 * has since logged in to a different account in another tab.
 */
export function setCallingAccount(id: string | null): void {
  account = id;
}

interface RequestOptions extends CallOptions {
  body?: unknown;
}

/**
 * Returns whether a compressed body may not have been understood: by a server of the last release, or by a proxy. Input
 * that isn't valid has been.
 */
async function isMisread(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 415) return false;
  const { code } = await toApiError(response.clone());
  return code !== 'validation_failed';
}

async function send(
  method: string,
  path: string,
  { body, signal, keepalive = false }: RequestOptions = {},
): Promise<Response> {
  const json = body === undefined ? null : JSON.stringify(body);
  const sendAs = (sent: string | Blob | null) =>
    fetch(`/api/v1${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        ...(sent === null ? {} : { 'content-type': 'application/json' }),
        ...(sent instanceof Blob ? { 'content-encoding': 'gzip' } : {}),
        ...(account === null ? {} : { 'x-account-id': account }),
      },
      body: sent,
      signal: signal ?? null,
      keepalive,
    });
  try {
    // A page that's about to close has no time for it.
    const isLong = json !== null && json.length > LONGEST_PLAIN && !keepalive;
    const compressed = isLong ? await compressBody(json) : null;
    if (!compressed) return await sendAs(json);
    const response = await sendAs(compressed);
    return (await isMisread(response)) ? await sendAs(json) : response;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, 'network', 'Network Error');
  }
}

/**
 * The cookie with the time of this browser's last refresh, in milliseconds since 1970, shared by all tabs. It's a
 * cookie because local storage written by one tab's process can reach another tab late. It lasts a minute, which covers
 * the calls in flight.
 */
const REFRESHED_AT = 'daylight.renewed';

const lastRefresh = () => Number(document.cookie.match(`${REFRESHED_AT}=(\\d+)`)?.[1] ?? 0);

/** Whether this browser is signed in. If not, whether its session was ended before its time, or just expired. */
type SessionState = 'live' | 'ended' | 'expired';

let refreshing: Promise<SessionState> | undefined;

/**
 * Refreshes the session once, no matter how many calls and tabs ask at the same time. A tab that had to wait for the
 * lock first checks whether another tab has refreshed meanwhile, since they share the cookies.
 * @param sentAt when the rejected call was sent, in milliseconds since 1970
 * @returns whether the call is worth sending again, which it is if the session is live
 * @throws ApiError if the server can't tell right now, so that nobody has to log in because of an outage
 */
function refreshSession(sentAt: number): Promise<SessionState> {
  const refresh = async (): Promise<SessionState> => {
    if (lastRefresh() > sentAt) return 'live';
    const response = await send('POST', '/token/refresh');
    if (response.ok) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
      document.cookie = `${REFRESHED_AT}=${Date.now()}; path=/; max-age=60; samesite=lax`;
      return 'live';
    }
    const error = await toApiError(response);
    if (error.status !== 401) throw error;
    return error.fields.session === 'ended' ? 'ended' : 'expired';
  };
  refreshing ??= Promise.resolve(
    navigator.locks ? navigator.locks.request('daylight-refresh', refresh) : refresh(),
  ).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** Asks the server whether this browser is signed in, and refreshes its session. @throws ApiError if it can't tell now */
export const askForSession = (): Promise<SessionState> => refreshSession(Date.now());

const sessionEvents = new EventTarget();

/** Calls back whenever a call finds that the session is over. @returns a function that stops it */
export function watchSession(onOver: () => void): () => void {
  sessionEvents.addEventListener('over', onOver);
  return () => sessionEvents.removeEventListener('over', onOver);
}

function goToLogin(): never {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/login?next=${encodeURIComponent(here)}`);
  throw new ApiError(401, 'unauthenticated', 'Refresh token expired');
}

/** Operations whose 401 doesn't mean that the session has expired. */
const NEVER_REFRESHED = /^\/(login|verify_email|token\/refresh)/;

async function request(method: string, path: string, options: RequestOptions): Promise<unknown> {
  const sentAt = Date.now();
  let response = await send(method, path, options);
  if (response.status === 401 && !NEVER_REFRESHED.test(path)) {
    if ((await refreshSession(sentAt)) === 'live') response = await send(method, path, options);
    if (response.status === 401) sessionEvents.dispatchEvent(new Event('over'));
    // After a refresh too: another tab may have just signed out.
    if (response.status === 401 && options.onExpired !== 'throw') goToLogin();
  }
  if (!response.ok) throw await toApiError(response);
  options.onHeaders?.(response.headers);
  try {
    return await response.json();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    // The connection broke off mid-answer, or a proxy sent its own page.
    throw new ApiError(0, 'network', 'Network Error');
  }
}

/** Returns one segment of a path. Browsers resolve dot segments even when they're encoded, so those are rejected. */
function pathSegment(value: unknown): string {
  const text = String(value);
  if (/^\.{0,2}$/.test(text)) throw new ApiError(404, 'not_found', 'We couldn’t find that.');
  return encodeURIComponent(text);
}

/** Fills in a path's parameters and appends the query: an array is repeated, undefined is left out. */
function buildPath(path: string, params: object = {}, query: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => pathSegment(values.get(name)));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/**
 * Calls an operation of the API: `call('POST /entry/:id', { params: { id }, body: { title } })`. A 401 refreshes the
 * session and retries once; if that fails, the page goes to /login.
 * @throws ApiError with the answer's message, or 'Network Error' when there is none
 */
export function call<N extends OperationName>(
  operation: N,
  ...options: Calls[N]['arguments']
): Promise<ResponseBody<N>>;
export async function call(
  operation: string,
  { params, query, ...options }: RequestOptions & { params?: object; query?: object } = {},
): Promise<unknown> {
  const [method = '', path = ''] = operation.split(' ');
  return request(method, buildPath(path, params, query), options);
}
