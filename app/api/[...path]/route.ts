import type { NextRequest } from 'next/server';
import { AppError } from '@/lib/http/errors';
import { failureOf } from '@/lib/http/failure';
import { requestIdOf } from '@/lib/http/request-id';
import { newScope } from '@/lib/http/request-scope';
import { setTransportSecurity } from '@/lib/http/transport-security';
import { requestScope } from '@/lib/log';

/** Whatever is not an operation is not found, in the words of all other errors. */
function answer(request: NextRequest): Response {
  const { id: requestId, onAnswer } = requestIdOf(request.headers);
  const response = requestScope.run(newScope(requestId, request.headers), () =>
    failureOf(new AppError('not_found'), requestId),
  );
  if (!onAnswer) response.headers.set('x-request-id', requestId);
  response.headers.set('cache-control', 'no-store');
  setTransportSecurity(response.headers);
  return response;
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
