import { after, type NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { finish } from '@/lib/http/endpoint';
import { requestIdOf } from '@/lib/http/request-id';
import { newScope } from '@/lib/http/request-scope';
import { requestScope } from '@/lib/log';
import { authOptions } from '@/lib/sessions/next-auth';
import { signIn } from './sign-in';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** The options are made on the first request, so that a build needs no secret. */
async function handler(request: NextRequest, context: RouteContext): Promise<Response> {
  const scope = newScope(requestIdOf(request.headers).id, request.headers);
  const response: Response = await requestScope.run(scope, () =>
    NextAuth(request, context as never, authOptions(signIn)),
  );
  after(() => finish(scope));
  return response;
}

export { handler as GET, handler as POST };
