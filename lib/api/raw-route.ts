import { after, type NextRequest } from 'next/server';
import { requestIdOf } from '@/lib/http/request-id';
import { newScope } from '@/lib/http/request-scope';
import { setTransportSecurity } from '@/lib/http/transport-security';
import { type RequestScope, requestScope } from '@/lib/log';
import { finish } from './endpoint';
import { failureOf } from './failure';

/**
 * Makes a route handler of something that isn't an operation of the API, with the same request id, log and errors.
 * What was left for afterwards, such as the outbox, is done once the answer is out.
 */
export function rawRoute<Context>(
  handle: (request: NextRequest, context: Context, scope: RequestScope) => Promise<Response>,
) {
  return async (request: NextRequest, context: Context): Promise<Response> => {
    const { id, onAnswer } = requestIdOf(request.headers);
    const scope = newScope(id, request.headers);
    return requestScope.run(scope, async () => {
      const response = await handle(request, context, scope).catch((error: unknown) => failureOf(error, id));
      if (!onAnswer) response.headers.set('x-request-id', id);
      setTransportSecurity(response.headers);
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
      if (scope.outbox || scope.afterwards.length > 0) after(() => finish(scope));
      return response;
    });
  };
}
