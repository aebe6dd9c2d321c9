/** The Content-Security-Policy of the API, which answers with data: opened by itself, it loads, runs and frames nothing. */
export const API_CSP =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
