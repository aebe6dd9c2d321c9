import { after, type NextRequest } from 'next/server';
import type { z } from 'zod';
import { authenticate, type User } from '@/lib/account/sessions/service';
import { admissionScope } from '@/lib/foundation/admission';
import { AppError } from '@/lib/foundation/contract/errors';
import type { Operation } from '@/lib/foundation/contract/operation';
import { createRequestScope } from '@/lib/foundation/http/client-address';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { assertSameOrigin } from '@/lib/foundation/http/origin';
import { UNCONFIGURED } from '@/lib/foundation/http/plain-pages';
import { requestIdOf } from '@/lib/foundation/http/request-id';
import { setTransportSecurity } from '@/lib/foundation/http/transport-security';
import { log } from '@/lib/foundation/log';
import { type Client, type RequestScope, requestScope } from '@/lib/foundation/request-scope';
import { hasSettings } from '@/lib/foundation/require-env';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { runInSlices } from '@/lib/foundation/shared/steps';
import { showTimings, traced } from '@/lib/foundation/telemetry/spans';
import { createTurns } from '@/lib/limits/one-at-a-time';
import { registerDeployment } from '@/lib/video/processing/registration';
import { decodeBody, parseBody, readBytes } from './body';
import { errorResponse } from './error-response';
import { refusalError } from './refusals';
import { parseInput, parseInputInSteps } from './validation';
import { countInflated, countWrite } from './write-limit';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler gets: everything parsed, and who asks. */
export interface Call<O extends Operation> {
  user: O['access'] extends 'public' ? null : User;
  client: Client;
  params: Output<O['params']>;
  query: Output<O['query']>;
  body: Output<O['body']>;
  request: NextRequest;
}

/** Handlers of operations whose response has no fields may return nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: what services return that have nothing to say
type Nothing<Body> = Record<string, never> extends Body ? void : never;

type Result<O extends Operation> = O['response'] extends z.ZodType
  ? z.input<O['response']> | Nothing<z.input<O['response']>> | Response
  : Response;

interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

const turns = perProcess('account-turns', createTurns);

/** A repeated parameter is a list, a single one a string. */
function queryOf(url: URL): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return query;
}

async function authorize(operation: Operation, request: NextRequest): Promise<User | null> {
  if (operation.access === 'public') return null;
  const user = await authenticate(request.cookies.get(cookieNames().access)?.value);
  if (!user) throw new AppError('unauthenticated');
  if (operation.access === 'verified' && !user.verified) throw new AppError('email_not_verified');
  return user;
}

/**
 * Refuses a page that was loaded for a different account: another tab has logged in since, and cookies are the
 * browser's. Its video or note must not end up in an account that it wasn't meant for.
 */
function assertSameAccount(user: User | null, headers: Headers): void {
  const meant = headers.get('x-account-id');
  if (!user || meant === null || meant === user.id) return;
  throw new AppError('conflict', {
    message: 'You’re logged in to a different account now. Reload the page to continue.',
  });
}

/**
 * Runs the tasks that a request has scheduled, one after the other, including those that a task schedules: one may
 * queue an email, and the outbox is delivered after it. Never rejects.
 */
async function runTasks({ tasks }: RequestScope): Promise<void> {
  // A set visits what is added to it, or deleted and added again, while it's being walked.
  for (const task of tasks) {
    tasks.delete(task);
    await task().catch((error: unknown) => log.error({ err: error }, 'a task after the response failed'));
  }
}

/** Runs work in the admission of the current request. On a platform that runs its own server, it has none yet. */
const inAdmission = <T>(work: () => T): T =>
  admissionScope.getStore() ? work() : admissionScope.run({}, work);

/** Makes what a request does from now on count as its account's. */
function admitAs(user: User): void {
  const admission = admissionScope.getStore();
  if (admission) admission.account = user.id;
}

/**
 * Creates a route handler that isn't an operation of the API. Gives the request its id and scope, turns errors into
 * responses by the closed table, and runs the scheduled tasks once the response is sent.
 */
export function rawRoute<Context>(
  handle: (request: NextRequest, context: Context, scope: RequestScope) => Promise<Response>,
) {
  return (request: NextRequest, context: Context): Promise<Response> => {
    const { id, onAnswer } = requestIdOf(request.headers);
    if (!hasSettings()) {
      const unconfigured = new AppError('unavailable', { message: UNCONFIGURED });
      return Promise.resolve(errorResponse(unconfigured, id));
    }
    registerDeployment(request.headers);
    const scope = createRequestScope(id, request.headers);
    const answer = async () => {
      const response = await handle(request, context, scope).catch((error: unknown) =>
        errorResponse(error, id),
      );
      if (!onAnswer) response.headers.set('x-request-id', id);
      setTransportSecurity(response.headers);
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
      if (scope.tasks.size > 0) after(() => requestScope.run(scope, () => runTasks(scope)));
      return response;
    };
    return requestScope.run(scope, () => inAdmission(answer));
  };
}

/**
 * Creates the route handler of an operation: checks the origin, authenticates, parses params, query and body, calls
 * the handler and parses its answer, so that nothing undeclared leaves.
 */
export function endpoint<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Result<O>> | Result<O>,
) {
  async function run(request: NextRequest, context: RouteContext, client: Client): Promise<Response> {
    const isWrite = operation.method !== 'GET' || operation.changesState === true;
    if (isWrite) assertSameOrigin(operation.method, request.headers);
    const user = await traced('authorize', () => authorize(operation, request), { phase: 'auth' });
    // A stranger learns no times, so none can tell whether an account exists.
    if (user) {
      showTimings();
      admitAs(user);
    }
    assertSameAccount(user, request.headers);
    if (user && isWrite) countWrite(user.id);
    const params = operation.params?.safeParse(await context.params);
    // IDs are opaque: an impossible one is answered like an unknown one.
    if (params && !params.success) throw new AppError('not_found');
    const query = operation.query ? parseInput(operation.query, queryOf(request.nextUrl)) : undefined;
    const sent = operation.body && (await readBytes(request, operation.bodyLimit));
    const readJson = async (bytes: Buffer) => {
      const json = await decodeBody(bytes, request.headers.get('content-encoding'), operation.bodyLimit);
      if (user) countInflated(user.id, json.length - bytes.length);
      return parseBody(json);
    };
    // In the account's turn: a few bytes may become many.
    const work = async () => {
      const json = sent && (await readJson(sent));
      const body = operation.body && (await runInSlices(parseInputInSteps(operation.body, json)));
      const result = await handle({ user, client, params: params?.data, query, body, request } as Call<O>);
      if (result instanceof Response) return result;
      return Response.json(operation.response?.parse(result ?? {}), { status: operation.status ?? 200 });
    };
    if (!user || !operation.oneAtATime) return work();
    return turns.take(user.id, work, () => refusalError('rate_limited'));
  }

  return rawRoute<RouteContext>(async (request, context, { requestId, client }) => {
    const started = performance.now();
    const response = await run(request, context, client).catch((error: unknown) =>
      errorResponse(error, requestId),
    );
    log.info(
      {
        method: operation.method,
        // The pattern, not the URL: a query holds titles and what people search for.
        path: operation.path,
        status: response.status,
        ms: Math.round(performance.now() - started),
      },
      'request',
    );
    return response;
  });
}
