import { AppError } from '@/lib/foundation/contract/errors';
import { env } from '@/lib/foundation/env';

/**
 * Refuses a state change that another site has started. Every current browser says so by Fetch Metadata
 * (`Sec-Fetch-Site`); without it `Origin` decides. A POST with neither comes from a program, which carries nobody's
 * cookies by itself, and is let through. A GET with neither may be an old browser following a link or a redirect, so
 * it needs our own `Origin` or `Referer`.
 * @throws AppError `cross_site_request`
 */
export function assertSameOrigin(method: string, headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin') return;
    throw new AppError('cross_site_request');
  }
  const source = headers.get('origin') ?? (method === 'GET' ? (headers.get('referer') ?? '') : null);
  if (source !== null && pathOnSite(source) === undefined) throw new AppError('cross_site_request');
}

/** The path of an address of this site, with its query; undefined for any other. */
export function pathOnSite(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === new URL(env().APP_URL).origin ? url.pathname + url.search : undefined;
}
