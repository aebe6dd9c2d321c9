/**
 * The Content-Security-Policy of answers that have no other: files, and the page for an address of a file that isn't there.
 * That page runs no script of its own, as it has no nonce.
 */
export const DEFAULT_CSP = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
