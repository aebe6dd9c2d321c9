import { createHash } from 'node:crypto';
import { env } from '@/lib/foundation/env';
import { APP_IDS, ownJobService } from './job-service';

const CLOUD = { events: 'https://inn.gs', api: 'https://api.inngest.com' };

/** Returns a signing key as the API takes it. */
function hashSigningKey(key: string): string {
  const [prefix = ''] = /^signkey-\w+-/.exec(key) ?? [];
  const bytes = Buffer.from(key.slice(prefix.length), 'hex');
  return `${prefix}${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns the response, or a sentence if there's none. */
async function request(url: string, init: RequestInit, timeoutMs: number): Promise<Response | string> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' });
  } catch {
    const own = ownJobService();
    const advice = own ? `Start it, or fix ${own.setting}.` : 'Check this server’s internet connection.';
    return `Inngest isn’t responding at ${new URL(url).origin}. ${advice}`;
  }
}

const isRefused = ({ status }: Response) => status === 401 || status === 403;

/** Sends no events with the event key, which is checked first. */
async function findEventProblem(timeoutMs: number): Promise<string | undefined> {
  const url = `${ownJobService()?.url ?? CLOUD.events}/e/${encodeURIComponent(env().INNGEST_EVENT_KEY)}`;
  const headers = { 'content-type': 'application/json' };
  const response = await request(url, { method: 'POST', headers, body: '[]' }, timeoutMs);
  if (typeof response === 'string') return response;
  if (isRefused(response))
    return 'Inngest rejected INNGEST_EVENT_KEY. Copy the key from Inngest’s dashboard again.';
  const { status } = response;
  const isElsewhere = status === 404 || status === 405 || status >= 500;
  return isElsewhere
    ? `Inngest isn’t accepting events: ${new URL(url).origin} responded with status ${status}.`
    : undefined;
}

/** Reads the functions of an app with the signing key. */
async function readFunctions(
  app: string,
  timeoutMs: number,
): Promise<{ problem?: string | undefined; isSynced: boolean | null }> {
  const { INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const url = `${ownJobService()?.url ?? CLOUD.api}/v1/apps/${app}/functions`;
  for (const key of [INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK]) {
    if (!key) continue;
    const headers = { authorization: `Bearer ${hashSigningKey(key)}` };
    const response = await request(url, { headers }, timeoutMs);
    if (typeof response === 'string') return { problem: response, isSynced: null };
    if (isRefused(response)) continue;
    const functions: unknown = response.ok ? await response.json().catch(() => null) : null;
    return { isSynced: Array.isArray(functions) ? functions.length > 0 : null };
  }
  const problem = 'Inngest rejected INNGEST_SIGNING_KEY. Copy the key from Inngest’s dashboard again.';
  return { problem, isSynced: null };
}

/**
 * Asks the job service whether it accepts both keys, and whether it knows the app. Sends no event.
 * @param timeoutMs for each request
 * @returns what keeps events from being accepted, in sentences, and whether it knows the app's functions; null if it doesn't say
 */
export async function readJobService(timeoutMs: number) {
  const [eventProblem, { problem, isSynced }] = await Promise.all([
    findEventProblem(timeoutMs),
    readFunctions(APP_IDS[env().JOBS], timeoutMs),
  ]);
  return { problems: [...new Set([eventProblem, problem].filter((one) => one !== undefined))], isSynced };
}

/** Returns whether the job service would also start every job in the app of the other kind of `JOBS`. */
export async function hasOtherApp(timeoutMs: number): Promise<boolean> {
  const other = env().JOBS === 'serve' ? 'worker' : 'serve';
  return (await readFunctions(APP_IDS[other], timeoutMs)).isSynced === true;
}
