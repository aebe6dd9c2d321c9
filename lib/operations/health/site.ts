import { z } from 'zod';
import { env } from '@/lib/foundation/env';
import type { Finding } from './finding';
import { askForProxies, compareProxies } from './proxies';

const health = z.object({ status: z.enum(['ok', 'failed']), checks: z.record(z.string(), z.string()) });

/** What the host name decides, besides where people end up. */
const DEPENDS = 'passkeys, links in emails, and storage’s CORS rules go by it';

/** Returns where a redirect leads; null if that's no address. */
function targetOf(response: Response, asked: string): URL | null {
  const location = response.headers.get('location') ?? '';
  return URL.canParse(location, asked) ? new URL(location, asked) : null;
}

/**
 * Asks APP_URL for its health, as somebody who opens it would arrive there. A site that isn't up yet, or that asks for a
 * login of its own, is only noted. A site that's up also says how many proxies are in between.
 * @param timeoutMs how long it may take to answer
 */
export async function checkSite(timeoutMs: number): Promise<Finding> {
  const { origin } = new URL(env().APP_URL);
  const address = `${env().APP_URL}/api/health`;
  let response: Response;
  let body: unknown;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    response = await fetch(address, {
      signal,
      redirect: 'manual',
      cache: 'no-store',
      headers: askForProxies(),
    });
    const isJson = response.headers.get('content-type')?.includes('json');
    body = isJson ? await response.json().catch(() => null) : await response.body?.cancel();
  } catch {
    return { problems: [], notes: [`The site isn’t responding at ${origin}, so APP_URL wasn’t checked.`] };
  }
  const { status } = response;
  const target = status >= 300 && status < 400 ? targetOf(response, address) : null;
  if (target && target.origin !== origin) {
    const problem = `${origin} redirects to ${target.origin}. Set APP_URL to where people end up, or remove the redirect: ${DEPENDS}.`;
    return { problems: [problem] };
  }
  if (health.safeParse(body).success) return compareProxies(response.headers);
  if (status === 401 || status === 403) {
    const note = `${origin} asks for a login of its own (status ${status}), so APP_URL wasn’t checked.`;
    return { problems: [], notes: [note] };
  }
  if (status >= 500) {
    const note = `${origin} responds with status ${status}, so the site isn’t up and APP_URL wasn’t checked.`;
    return { problems: [], notes: [note] };
  }
  const problem = `What responds at ${origin} isn’t Daylight (status ${status}). Point the domain to the site, or fix APP_URL.`;
  return { problems: [problem] };
}
