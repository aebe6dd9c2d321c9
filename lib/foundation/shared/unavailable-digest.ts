/**
 * The digest of an error that passes by itself, such as while the database is out of connections. Next passes digests on
 * to error pages in place of messages.
 */
export const UNAVAILABLE_DIGEST = 'unavailable';
