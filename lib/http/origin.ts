import { env } from '@/lib/env';
import { AppError } from './errors';

/**
 * Refuses a state change that another site has started, by Fetch Metadata (`Sec-Fetch-Site`, sent by every
 * current browser) and else by `Origin`. A client that sends neither is no browser, carries nobody's cookies
 * by itself, and is let through.
 * @throws AppError `cross_site_request`
 */
export function assertSameOrigin(headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin') return;
    throw new AppError('cross_site_request');
  }
  const origin = headers.get('origin');
  if (origin !== null && origin !== new URL(env().APP_URL).origin) throw new AppError('cross_site_request');
}

/** The path of an address of this site, with its query; undefined for any other. */
export function pathOnSite(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === new URL(env().APP_URL).origin ? url.pathname + url.search : undefined;
}
