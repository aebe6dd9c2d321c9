/**
 * The policy of the worker that recognizes speech in the browser. A worker has the policy of its own script's answer, so
 * pages don't need to allow WebAssembly. It loads its models from here, and sends nothing anywhere.
 */
export const SPEECH_CSP =
  "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";
