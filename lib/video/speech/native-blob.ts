/** Stands in for SoundSwallower's polyfill of Blob, which needs eval. Every browser with WebAssembly has its own. */
export const Blob = globalThis.Blob;
