import { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions } from '@/lib/account/providers/next-auth';
import { readBytes } from '@/lib/api/body';
import { rawRoute } from '@/lib/api/endpoint';
import { logRejection } from '@/lib/api/rejections';
import { AppError } from '@/lib/foundation/contract/errors';
import { hostCookieName } from '@/lib/foundation/http/cookies';
import { isValidCallbackUrl, parseForm, sanitizeUrl, toAscii } from './sanitize-input';
import { signIn } from './sign-in';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** next-auth puts why it refuses into the address that it sends the browser to. */
function errorCodeOf(response: Response): string | undefined {
  const location = response.headers.get('location');
  if (!location || !URL.canParse(location, 'http://daylight.invalid')) return undefined;
  const { searchParams } = new URL(location, 'http://daylight.invalid');
  const problem = searchParams.get('error') ?? searchParams.get('problem');
  // Only next-auth's codes and ours, as this goes to the log.
  return problem?.replace(/[^\w-]/g, '').slice(0, 40);
}

const handler = rawRoute<RouteContext>(async (request, context, { requestId }) => {
  // next-auth reads any size.
  const body = await readBytes(request);
  const { method } = request;
  // next-auth reads cookies by itself, so this one can only be refused.
  const destination = request.cookies.get(hostCookieName('next-auth.callback-url'))?.value;
  if (destination && !isValidCallbackUrl(destination)) throw new AppError('bad_request');
  const headers = new Headers(request.headers);
  const form = method === 'POST' && parseForm(body, headers.get('content-type') ?? '');
  if (form) headers.set('content-type', 'application/x-www-form-urlencoded');
  const read = new NextRequest(sanitizeUrl(request.url), {
    method,
    headers,
    ...(form ? { body: String(form) } : {}),
  });
  const { nextauth } = await context.params;
  const readableContext = { params: Promise.resolve({ nextauth: nextauth.map(toAscii) }) };
  // The options are made on the first request, so that a build needs no secret.
  const response: Response = await NextAuth(read, readableContext as never, authOptions(signIn));
  const code = errorCodeOf(response);
  if (code !== undefined || response.status >= 400) {
    logRejection(requestId, { event: 'auth.refused', status: response.status, ...(code ? { code } : {}) });
  }
  return response;
});

export { handler as GET, handler as POST };
