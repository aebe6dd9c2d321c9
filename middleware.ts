import { type NextRequest, NextResponse } from 'next/server';
import { sessionCookies } from '@/lib/account/sessions/cookies';
import { authenticate, rotateSession } from '@/lib/account/sessions/service';
import { type AccessClaims, decodeAccess, type SessionTokens } from '@/lib/account/sessions/tokens';
import { createRequestScope } from '@/lib/foundation/http/client-address';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { contentSecurityPolicy, newNonce } from '@/lib/foundation/http/csp';
import { setPageHeaders } from '@/lib/foundation/http/page-headers';
import { isMemberPage, isPublicPage } from '@/lib/foundation/http/pages';
import { unavailablePage, unconfiguredPage } from '@/lib/foundation/http/plain-pages';
import { logOtherHost } from '@/lib/foundation/http/request-host';
import { requestIdOf } from '@/lib/foundation/http/request-id';
import { setTransportSecurity } from '@/lib/foundation/http/transport-security';
import { log } from '@/lib/foundation/log';
import { requestScope } from '@/lib/foundation/request-scope';
import { hasSettings } from '@/lib/foundation/require-env';
import { isDatabaseAvailable } from '@/lib/operations/health/availability';
import { registerDeployment } from '@/lib/video/processing/registration';

/**
 * Pages that `next.config.ts` shows at other addresses, by their own, which lead there; and what Next shows if the layout
 * fails, with status 500.
 */
const OTHER_ADDRESSES: Partial<Record<string, string>> = {
  '/landing': '/',
  '/journals/timeline': '/journals?view=timeline',
  '/_global-error': '/',
};

interface Session {
  claims: AccessClaims | null;
  /** New tokens, if the access token had expired and the refresh token was still valid. */
  renewed: SessionTokens | null;
  /** Set when the session couldn't be read, so the visitor may be signed in. */
  unknown?: boolean;
}

async function readSession(request: NextRequest): Promise<Session> {
  const names = cookieNames();
  const claims = await decodeAccess(request.cookies.get(names.access)?.value);
  const refresh = request.cookies.get(names.refresh)?.value;
  if (claims || !refresh) return { claims, renewed: null };
  try {
    const renewed = await rotateSession(refresh);
    return { claims: await decodeAccess(renewed?.access), renewed };
  } catch (error) {
    log.error({ err: error }, 'failed to refresh a session');
    return { claims: null, renewed: null, unknown: true };
  }
}

/** Returns where to redirect the visitor, or null. Pages and endpoints have their own guards as well. */
async function getRedirect(request: NextRequest, { claims, renewed }: Session): Promise<string | null> {
  const { pathname, search } = request.nextUrl;
  const other = OTHER_ADDRESSES[pathname];
  if (other) return other;
  // What doesn't exist is the not-found page for everybody, so that nobody signs in to find that out.
  if (isPublicPage(pathname) || (pathname !== '/' && !isMemberPage(pathname))) return null;
  if (!claims) return pathname === '/' ? null : `/login?next=${encodeURIComponent(pathname + search)}`;
  if (claims.verified) return null;
  // The token may be older than the verification, so this checks the database.
  const access = renewed?.access ?? request.cookies.get(cookieNames().access)?.value;
  const user = await authenticate(access).catch(() => null);
  return user && !user.verified ? '/verify_email' : null;
}

/**
 * Returns whether to say that Daylight is busy, because the page needs a database that doesn't answer. A page that's
 * open already says so itself, and keeps what it shows.
 */
async function isUnavailable(request: NextRequest, session: Session): Promise<boolean> {
  if (request.headers.has('rsc')) return false;
  // Pages for visitors work without a session, and logging out has to.
  if (session.unknown) return !isPublicPage(request.nextUrl.pathname);
  return session.claims !== null && !(await isDatabaseAvailable());
}

/** What a client of Next's older router sends to get data instead of a page. Here it's forged, as nothing has that router. */
const DATA_REQUEST = 'x-nextjs-data';

/**
 * Redirects a visitor. Next has read {@link DATA_REQUEST} before and would hide the address from such a client, so it's kept
 * from seeing it. `guardServer` removes the header, but doesn't run on serverless hosts.
 */
function redirectTo(path: string, request: NextRequest): NextResponse {
  if (!request.headers.has(DATA_REQUEST)) return NextResponse.redirect(new URL(path, request.url), 307);
  const response = new NextResponse(null, { status: 307, headers: { location: path } });
  const get = response.headers.get.bind(response.headers);
  response.headers.get = (name) => (name === 'Location' ? null : get(name));
  return response;
}

/**
 * Handles every page request: refreshes an expired session in place, redirects visitors who are signed out or not
 * verified yet, and sets the content security policy.
 */
async function handlePage(request: NextRequest, requestId: string): Promise<NextResponse> {
  const nonce = newNonce();
  const policy = contentSecurityPolicy(nonce);
  const session = await readSession(request);
  if (await isUnavailable(request, session)) {
    const page = unavailablePage();
    page.headers.set('content-security-policy', policy);
    return new NextResponse(page.body, page);
  }
  const elsewhere = await getRedirect(request, session);
  // Only the first part of the path, since the rest of an entry's address is its title.
  if (elsewhere) log.info({ event: 'page.refused', page: request.nextUrl.pathname.split('/')[1] }, 'refused');

  const headers = new Headers(request.headers);
  headers.set('x-request-id', requestId);
  headers.delete(DATA_REQUEST);
  const path = request.nextUrl.pathname + request.nextUrl.search;
  setPageHeaders(headers, { nonce, path, isSessionUnknown: session.unknown ?? false });
  headers.set('content-security-policy', policy);
  const renewed = session.renewed ? sessionCookies(session.renewed) : [];
  for (const { name, value } of renewed) request.cookies.set(name, value);
  if (renewed.length > 0) headers.set('cookie', request.cookies.toString());

  const response = elsewhere ? redirectTo(elsewhere, request) : NextResponse.next({ request: { headers } });
  for (const cookie of renewed) response.cookies.set(cookie);
  response.headers.set('content-security-policy', policy);
  return response;
}

export async function middleware(request: NextRequest): Promise<NextResponse> {
  if (!hasSettings()) {
    const page = unconfiguredPage();
    return new NextResponse(page.body, page);
  }
  registerDeployment(request.headers);
  logOtherHost(request.headers);
  const { id, onAnswer } = requestIdOf(request.headers);
  const response = await requestScope.run(createRequestScope(id, request.headers), () =>
    handlePage(request, id),
  );
  if (!onAnswer) response.headers.set('x-request-id', id);
  setTransportSecurity(response.headers);
  return response;
}

// Not the API: it has its own guards, and Next cuts bodies at 10 MB where middleware runs. Not /share either, which gets
// videos and leads to a page of its own.
export const config = {
  runtime: 'nodejs',
  matcher: [
    '/((?!api/|_next/|speech/|sample/|icons/|screenshots/|pictures/|share$|sw\\.js|icon\\.svg|apple-icon\\.png|manifest\\.webmanifest|favicon\\.ico|robots\\.txt|sitemap\\.xml).*)',
  ],
};
