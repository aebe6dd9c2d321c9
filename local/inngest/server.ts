import { z } from 'zod';
import { AppMisconfigured, AppUnavailable, createAppClient } from './app';
import { startHttpServer } from './http';
import { startLeaderElection } from './leader-election';
import { INNGEST_LIMITS, type Limits } from './limits';
import { assertSigningKey, headers } from './protocol';
import { type FunctionDefinition, parseFunctions, UnsupportedFunction } from './registry';
import { openStore } from './store';
import { syncCrons } from './timers';
import { startWorker } from './worker';

/** How often an available and an unavailable app are asked for their functions, in milliseconds. */
const SYNC_INTERVAL_MS = 5000;
const DISCOVERY_INTERVAL_MS = 500;
/** How long requests in progress may take when the runner closes, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

export type RunnerOptions = {
  /** A direct connection (no transaction pooler): the leader is known by a session's advisory lock. */
  databaseUrl: string;
  /** The runner's schema, `inngest_local` by default. It's created and migrated automatically. */
  schema?: string;
  /**
   * Where the app serves its functions, such as `http://localhost:3000/api/inngest`, like `inngest dev -u`. When left
   * out, it's the address that the app registers, as with Inngest's cloud.
   */
  appUrl?: () => string;
  eventKey: string;
  /** `signkey-<environment>-<hexadecimal>`. */
  signingKey: string;
  /** A free port by default. */
  port?: number;
  log?: (line: Record<string, unknown>) => void;
  /** Multiplies the delays of retries and cancellations, for tests. 1 is as at Inngest. */
  timeScale?: number;
  /** Replaces some of Inngest's limits, for tests. */
  limits?: Partial<Limits>;
  /** Returns the time in Unix milliseconds. Signatures and leases don't use it. */
  now?: () => number;
};

export type Runner = {
  url: string;
  port: number;
  close(): Promise<void>;
  /** Checks the queue now instead of at the next poll. Call it after moving the clock. */
  wake(): void;
  /**
   * Waits until the app responds, and registers its functions.
   *
   * @throws UnsupportedFunction with the function and the option that the runner doesn't support
   * @throws AppMisconfigured if the app is in development mode or has another signing key
   */
  sync(): Promise<void>;
};

/**
 * Starts the durable stand-in for Inngest's cloud on the loopback interface.
 *
 * The app must run in the SDK's cloud mode, because only that checks signatures. It needs
 * - `INNGEST_BASE_URL`: the runner's `url`,
 * - `INNGEST_EVENT_KEY`: `eventKey`,
 * - `INNGEST_SIGNING_KEY`: `signingKey`,
 * - `INNGEST_DEV` unset or `0`.
 *
 * Requests to the app and its responses are signed, and both sides reject unsigned ones. Events need the event key,
 * and registration needs the hash of the signing key. The runner asks the registered address for its functions with a
 * signed `PUT` (in-band sync) every five seconds, or twice a second while the app is unavailable.
 *
 * Every step runs at least once: it runs again if the runner or the app was killed before its result was stored, and
 * never after that. As at Inngest, a request that the app doesn't answer, or not with a valid signature, is a failed
 * attempt.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const {
    databaseUrl,
    signingKey,
    eventKey,
    schema = 'inngest_local',
    now = Date.now,
    timeScale = 1,
  } = options;
  const limits = { ...INNGEST_LIMITS, ...options.limits };
  const log = options.log ?? (() => {});
  assertSigningKey(signingKey);
  const sql = await openStore(databaseUrl, schema);
  let registeredUrl: string | undefined;
  const appUrl = (): string => {
    const url = options.appUrl?.() ?? registeredUrl;
    if (!url) throw new AppUnavailable('It has not registered its address.');
    return url;
  };
  const app = createAppClient(appUrl, signingKey, limits.requestMs);

  let functions: FunctionDefinition[] | undefined;
  let registered = '';
  let isAway = true;
  let problem: string | undefined = 'The app has not answered yet.';
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const reportError = (message: string) => (error: unknown) =>
    log({ level: 'error', message, error: String(error) });

  async function register(raw: unknown, url: string): Promise<boolean> {
    if (url !== registeredUrl) log({ message: 'The address of the app is registered', url });
    registeredUrl = url;
    const text = JSON.stringify(raw);
    if (text !== registered) functions = undefined;
    else if (functions) return false;
    const parsed = parseFunctions(raw);
    await syncCrons(sql, parsed, now());
    functions = parsed;
    registered = text;
    log({ message: 'The functions of the app are registered', functions: parsed.map(({ id }) => id) });
    return true;
  }

  /** Asks the app for its functions. It may respond with them, or register them itself. */
  async function syncOnce(): Promise<void> {
    try {
      const { status, headers: answered, body } = await app.sync();
      const {
        functions: found,
        message,
        url = appUrl(),
      } = (body ?? {}) as { functions?: unknown; message?: unknown; url?: string };
      const inBand = answered[headers.syncKind] === 'in_band';
      if (status !== 200 || (inBand && found === undefined)) {
        throw new UnsupportedFunction(`The app could not register: ${message ?? `status ${status}`}`);
      }
      if (inBand) await register(found, url);
      if (isAway) log({ message: 'The app is here' });
      isAway = false;
      problem = undefined;
      worker.wake();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const text = error instanceof AppUnavailable ? `The app is away: ${message}` : message;
      if (problem !== text) log({ level: 'warn', message: text });
      isAway = true;
      problem = text;
      throw error;
    }
  }

  function syncAgain(): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(keepSynced, isAway ? DISCOVERY_INTERVAL_MS : SYNC_INTERVAL_MS);
  }

  function keepSynced(): void {
    syncOnce()
      .catch(() => {})
      .finally(syncAgain);
  }

  const server = await startHttpServer(options.port, {
    sql,
    eventKey,
    signingKey,
    now,
    log,
    onEvents: () => worker?.wake(),
    register,
    functionIds: () => (functions ?? []).map(({ id }) => id),
    problem: () => problem,
  }).catch(async (error) => {
    await sql.end({ timeout: 1 });
    throw error;
  });

  const leadership = startLeaderElection({
    sql,
    databaseUrl,
    schema,
    onChange: (generation) => {
      log({ message: generation ? 'This runner leads' : 'This runner no longer leads', generation });
      worker?.wake();
    },
    onError: reportError('The lead could not be renewed'),
  });
  const worker = startWorker({
    sql,
    app,
    now,
    timeScale,
    limits,
    log,
    generation: leadership.generation,
    functions: () => functions,
    onAppUnavailable: (error) => {
      if (closed) return;
      if (!isAway) log({ level: 'warn', message: 'The app is away', error: String(error) });
      isAway = true;
      syncAgain();
    },
  });
  keepSynced();

  return {
    url: server.url,
    port: server.port,
    wake: worker.wake,
    async sync() {
      while (!closed) {
        try {
          return await syncOnce();
        } catch (error) {
          if (error instanceof UnsupportedFunction || error instanceof AppMisconfigured) throw error;
          if (error instanceof z.ZodError) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, DISCOVERY_INTERVAL_MS / 2));
      }
      throw new Error('The runner is closed.');
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      const serverClosed = server.close(CLOSE_TIMEOUT_MS);
      await worker.close(CLOSE_TIMEOUT_MS);
      app.abort();
      await leadership.close();
      await serverClosed;
      await sql.end({ timeout: 2 });
    },
  };
}
