import { z } from 'zod';
import { env } from '@/lib/foundation/env';
import { countProxies } from '@/lib/foundation/http/client-address';
import { isSigned, sign } from '@/lib/foundation/job-signature';
import { hasSettings } from '@/lib/foundation/require-env';
import { type Finding, note, problem } from './finding';

/** In the doctor's request its signature, in the site's answer how many proxies were in between. */
const HEADER = 'x-daylight-proxies';
const SIGNED = Buffer.from(HEADER);

/** Returns the headers that ask the site how many proxies a request comes through. Only someone with its secret can. */
const askForProxies = (): Record<string, string> => ({ [HEADER]: sign(SIGNED, env().AUTH_SECRET[0]) });

/**
 * Returns the headers that answer {@link askForProxies}; none for anybody else, and none where functions run, which don't
 * see connections.
 */
export function answerForProxies(headers: Headers): Record<string, string> {
  if (!hasSettings() || env().SERVERLESS) return {};
  if (!isSigned(SIGNED, headers.get(HEADER), env().AUTH_SECRET)) return {};
  return { [HEADER]: String(countProxies(headers)) };
}

/** Returns what's wrong with TRUSTED_PROXIES, as far as the site's answer tells, in sentences for the operator. */
function compareProxies(answer: Headers): Finding {
  const said = answer.get(HEADER);
  const { TRUSTED_PROXIES: trusted } = env();
  const count = Number(said);
  if (said === null || !Number.isInteger(count) || count === trusted) return { problems: [] };
  const passes = `A request from here passes ${count === 0 ? 'no proxy' : count === 1 ? 'one proxy' : `${count} proxies`}`;
  if (trusted === 0) {
    return problem(
      `${passes} on its way to the site, but TRUSTED_PROXIES is 0. So everybody seems to come from the same address, and shares its limits on logins and sign-ups. Set TRUSTED_PROXIES=${count}.`,
    );
  }
  return note(
    `${passes} on its way to the site, and TRUSTED_PROXIES is ${trusted}. Set it to how many proxies of yours every visitor passes. With fewer, visitors seem to come from a proxy; with more, they can make up their address.`,
  );
}

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
    return note(`The site isn’t responding at ${origin}, so APP_URL wasn’t checked.`);
  }
  const { status } = response;
  const target = status >= 300 && status < 400 ? targetOf(response, address) : null;
  if (target && target.origin !== origin) {
    return problem(
      `${origin} redirects to ${target.origin}. Set APP_URL to where people end up, or remove the redirect: ${DEPENDS}.`,
    );
  }
  if (health.safeParse(body).success) return compareProxies(response.headers);
  if (status === 401 || status === 403)
    return note(`${origin} asks for a login of its own (status ${status}), so APP_URL wasn’t checked.`);
  if (status >= 500)
    return note(`${origin} responds with status ${status}, so the site isn’t up and APP_URL wasn’t checked.`);
  return problem(
    `What responds at ${origin} isn’t Daylight (status ${status}). Point the domain to the site, or fix APP_URL.`,
  );
}
