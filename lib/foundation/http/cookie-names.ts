/** The names of the cookies that make up a session, without a prefix. */
export const SESSION_COOKIES = { access: 'next-auth.session-token', refresh: 'daylight.refresh' } as const;

/**
 * What cookies' names start with on https: the browser then takes them only from this very host, over https and for every
 * path, so no other subdomain can plant them (RFC 6265bis, 4.1.3.2).
 */
export const HOST_PREFIX = '__Host-';
