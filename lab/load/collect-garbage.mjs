/**
 * Preloaded into the site's processes and their threads, with `--expose-gc`. V8 leaves garbage for long where memory is
 * plenty; with it collected, what a process holds on to shows.
 */
setInterval(() => globalThis.gc(), 10_000).unref();
