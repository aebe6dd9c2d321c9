import { env } from '@/lib/foundation/env';
import { isLocalHost } from '@/lib/foundation/local-host';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';

/** A host name or address, with its port. */
const HOST = /^(?=.{1,260}$)[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i;

/** How many hosts are named in the log at most: anybody can ask for any. */
const MAX_NAMED = 5;

const logged = perProcess('other-hosts', () => new Set<string>());

/**
 * Returns the host that a request is for, with its port unless that's the usual one; undefined if it names none. What a proxy
 * says counts where there is one.
 */
function requestHost(headers: Headers): string | undefined {
  const { APP_URL, SERVERLESS, TRUSTED_PROXIES } = env();
  const forwarded = SERVERLESS || TRUSTED_PROXIES > 0 ? headers.get('x-forwarded-host') : null;
  const host = (forwarded ?? headers.get('host') ?? '').split(',').at(-1)?.trim() ?? '';
  const address = `${new URL(APP_URL).protocol}//${host}`;
  return HOST.test(host) && URL.canParse(address) ? new URL(address).host : undefined;
}

/** Returns whether a request is for the site's own host, as one to a preview of another version isn't. */
export const isForSite = (headers: Headers): boolean => requestHost(headers) === new URL(env().APP_URL).host;

/** Logs once for each other host that a page is asked for, that only a part of the site works there. */
export function logOtherHost(headers: Headers): void {
  const { APP_URL } = env();
  const host = requestHost(headers);
  if (!host || isForSite(headers) || isLocalHost(new URL(`http://${host}`).hostname)) return;
  if (logged.has(host) || logged.size >= MAX_NAMED) return;
  logged.add(host);
  log.warn(
    { event: 'host.other', host },
    `Requests arrive for ${host}, but APP_URL is ${APP_URL}. People who open ${host} can’t sign in with passkeys or upload, ` +
      'because the bucket’s CORS rule names APP_URL.',
  );
}
