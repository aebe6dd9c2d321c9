import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where `scripts/build-service-worker.ts` writes the service worker, from the project's folder. */
export const WORKER_FILE = 'build/service-worker.js';

/**
 * Returns the service worker's script.
 * @throws Error if it hasn't been built
 */
export const readServiceWorker = (): Promise<Buffer> =>
  // One expression, so that the tracer packs the file that next.config.ts names, and not every file there is.
  readFile(join(/*turbopackIgnore: true*/ process.cwd(), WORKER_FILE));
