import { env } from '@/lib/foundation/env';

// Apart from the client, which loads Inngest's SDK: middleware and every function need some of this.

/**
 * The ids of the app at Inngest. Inngest can't call an app's URL and talk to connected workers under the same id.
 */
export const APP_IDS = { serve: 'daylight', worker: 'daylight-worker' };

/** Where Inngest's development server listens if `INNGEST_DEV` doesn't say. */
const DEV_SERVER = 'http://127.0.0.1:8288';

/** Returns the URL of a job service that isn't Inngest's cloud, and the setting it's from. */
export function ownJobService(): { url: string; setting: string } | undefined {
  const { INNGEST_BASE_URL, INNGEST_DEV } = env();
  if (INNGEST_BASE_URL) return { url: INNGEST_BASE_URL, setting: 'INNGEST_BASE_URL' };
  if (!INNGEST_DEV) return undefined;
  return { url: /^https?:/.test(INNGEST_DEV) ? INNGEST_DEV : DEV_SERVER, setting: 'INNGEST_DEV' };
}

/** Returns where the job service reaches the app. Never taken from a request, whose Host anybody can choose. */
export function serveOrigin(): string {
  const { INNGEST_SERVE_ORIGIN, APP_URL } = env();
  return INNGEST_SERVE_ORIGIN ?? new URL(APP_URL).origin;
}

/** Where the app answers the job service's calls. */
export const SERVE_PATH = '/api/inngest';
