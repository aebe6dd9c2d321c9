import { after, type NextRequest, NextResponse } from 'next/server';
import type { z } from 'zod';
import { AppError } from '@/lib/contract/errors';
import type { Operation } from '@/lib/contract/operation';
import { readSessionCookies } from '@/lib/http/cookies';
import { assertSameOrigin } from '@/lib/http/origin';
import { requestIdOf } from '@/lib/http/request-id';
import { newScope } from '@/lib/http/request-scope';
import { setTransportSecurity } from '@/lib/http/transport-security';
import { log, type RequestScope, requestScope } from '@/lib/log';
import { deliverOutbox } from '@/lib/outbox/delivery';
import { authenticate, type User } from '@/lib/sessions/service';
import { readBody } from './body';
import { failureOf } from './failure';
import { parseInput } from './validation';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler gets: everything parsed, and who asks. */
export interface Call<O extends Operation> {
  user: O['access'] extends 'public' ? null : User;
  params: Output<O['params']>;
  query: Output<O['query']>;
  body: Output<O['body']>;
  request: NextRequest;
}

type Result<O extends Operation> = O['answer'] extends z.ZodType ? z.input<O['answer']> | Response : Response;

interface RouteContext {
  params: Promise<Record<string, string | string[] | undefined>>;
}

/** A repeated parameter is a list, a single one a string. */
function queryOf(url: URL): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    query[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return query;
}

async function authorize(operation: Operation): Promise<User | null> {
  if (operation.access === 'public') return null;
  const user = await authenticate((await readSessionCookies()).access);
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
    message: "You're logged in to a different account now. Please reload the page.",
  });
}

/** Does what a request has left until its answer was out. Never throws. */
export async function finish(scope: RequestScope): Promise<void> {
  for (const work of scope.afterwards) {
    await work().catch((error: unknown) => log.error({ err: error }, 'what was to follow an answer failed'));
  }
  if (!scope.outbox) return;
  await deliverOutbox().catch((error: unknown) => log.warn({ err: error }, 'outbox: delivery failed'));
}

/**
 * Makes a route handler of a contract: checks the origin, authenticates, parses params, query and body, calls,
 * parses the answer (so that nothing undeclared leaves) and turns errors into answers by the closed table.
 * What was left for afterwards, as the outbox, is done once the answer is out.
 */
export function endpoint<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Result<O>> | Result<O>,
) {
  async function run(request: NextRequest, context: RouteContext): Promise<Response> {
    if (operation.method !== 'GET' || operation.changesState) {
      assertSameOrigin(operation.method, request.headers);
    }
    const user = await authorize(operation);
    assertSameAccount(user, request.headers);
    const params = operation.params?.safeParse(await context.params);
    // Ids are opaque: one that cannot exist is answered like one that does not.
    if (params && !params.success) throw new AppError('not_found');
    const query = operation.query ? parseInput(operation.query, queryOf(request.nextUrl)) : undefined;
    const body = operation.body
      ? parseInput(operation.body, await readBody(request, operation.bodyLimit))
      : undefined;
    const call = { user, params: params?.data, query, body, request } as Call<O>;
    const result = await handle(call);
    if (result instanceof Response) return result;
    return NextResponse.json(operation.answer?.parse(result), { status: operation.status ?? 200 });
  }

  return async (request: NextRequest, context: RouteContext): Promise<Response> => {
    const { id: requestId, onAnswer } = requestIdOf(request.headers);
    const scope = newScope(requestId, request.headers);
    const started = performance.now();
    return requestScope.run(scope, async () => {
      const response = await run(request, context).catch((error: unknown) =>
        failureOf(error, scope.requestId),
      );
      if (!onAnswer) response.headers.set('x-request-id', requestId);
      setTransportSecurity(response.headers);
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
      // The pattern, not the address: a query holds titles and what people search for.
      log.info(
        {
          method: operation.method,
          path: operation.path,
          status: response.status,
          ms: Math.round(performance.now() - started),
        },
        'request',
      );
      if (scope.outbox || scope.afterwards.length > 0) after(() => finish(scope));
      return response;
    });
  };
}
