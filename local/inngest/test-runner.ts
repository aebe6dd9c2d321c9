import { createServer, type Server } from 'node:http';
import { Inngest, type InngestFunction } from 'inngest';
import { serve } from 'inngest/node';
import postgres from 'postgres';
import { testedService } from '@/test/tested-services';
import type { RunSummary } from './page';
import { type Runner, type RunnerOptions, startRunner } from './server';

/** The settings of an Inngest server to run the protocol tests against instead of the local runner. */
const external = testedService('jobs');
export const externalBaseUrl = external?.INNGEST_BASE_URL ?? external?.INNGEST_DEV;

export const EVENT_KEY = external?.INNGEST_EVENT_KEY ?? 'testing-event-key';
export const SIGNING_KEY = external?.INNGEST_SIGNING_KEY ?? `signkey-test-${'0123456789abcdef'.repeat(4)}`;

export type TestApp = {
  client: Inngest;
  port: number;
  url: string;
  /** Closes every connection. */
  cut(): void;
  close(): Promise<void>;
};

export type Functions = (client: Inngest) => InngestFunction.Any[];

const silentLogger = { info() {}, warn() {}, error() {}, debug() {} };

export function createInngestClient(
  baseUrl: string,
  options: { eventKey?: string; signingKey?: string; isDev?: boolean } = {},
): Inngest {
  return new Inngest({
    id: 'testing',
    baseUrl,
    eventKey: EVENT_KEY,
    signingKey: SIGNING_KEY,
    isDev: external?.INNGEST_DEV !== undefined,
    logger: silentLogger,
    ...options,
  });
}

/** Serves functions with the real SDK. */
export async function startTestApp(
  baseUrl: string,
  functions: Functions,
  { port, ...options }: { port?: number; signingKey?: string; isDev?: boolean } = {},
): Promise<TestApp> {
  const client = createInngestClient(baseUrl, options);
  const handler = serve({ client, functions: functions(client), servePath: '/api/inngest' });
  const server: Server = createServer((request, response) => {
    void Promise.resolve(handler(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const boundTo = typeof address === 'object' && address ? address.port : 0;
  const url = `http://127.0.0.1:${boundTo}/api/inngest`;
  if (externalBaseUrl) await fetch(url, { method: 'PUT' });
  return {
    client,
    port: boundTo,
    url,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** How often {@link waitUntil} looks, in milliseconds. Most looks ask the database, which has other work to do. */
const POLL_MS = 50;

/** Waits until `look` returns something truthy. @throws Error after 60 seconds */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A test's functions with a runner whose clock can be moved ahead. */
export type RunnerFixture = {
  app: TestApp;
  runner: Runner | undefined;
  log: Record<string, unknown>[];
  databaseUrl: string;
  schema: string;
  advance(ms: number): void;
  /** Returns the runner's `/runs.json`. */
  runs(): Promise<RunSummary[]>;
  /** Starts the runner again on another port, after it was closed. */
  restart(): Promise<Runner>;
  close(): Promise<void>;
};

let fixtureCount = 0;

/** What a test may change of a runner. */
export type FixtureOptions = Pick<RunnerOptions, 'timeScale' | 'limits'>;

/** Starts a runner with its own schema (or uses the external one) and an app with these functions. */
export async function startRunnerFixture(
  databaseUrl: string,
  functions: Functions,
  options: FixtureOptions = {},
): Promise<RunnerFixture> {
  fixtureCount += 1;
  const schema = `testing_${process.pid}_${fixtureCount}`;
  const log: Record<string, unknown>[] = [];
  let offset = 0;
  let appUrl = 'http://127.0.0.1:9/api/inngest';
  const start = () =>
    startRunner({
      ...options,
      databaseUrl,
      schema,
      appUrl: () => appUrl,
      eventKey: EVENT_KEY,
      signingKey: SIGNING_KEY,
      log: (line) => log.push(line),
      now: () => Date.now() + offset,
    });
  const runner = externalBaseUrl ? undefined : await start();
  let current = runner;
  const baseUrl = runner?.url ?? externalBaseUrl ?? '';
  const app = await startTestApp(baseUrl, functions);
  appUrl = app.url;
  const close = async () => {
    await current?.close();
    await app.close();
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    await sql`DROP SCHEMA IF EXISTS ${sql(schema)} CASCADE`;
    await sql.end();
  };
  try {
    await runner?.sync();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    app,
    runner,
    log,
    databaseUrl,
    schema,
    advance(ms) {
      offset += ms;
      current?.wake();
    },
    async runs() {
      const response = await fetch(`${baseUrl}/runs.json`);
      return ((await response.json()) as { runs: RunSummary[] }).runs;
    },
    async restart() {
      current = await start();
      return current;
    },
    close,
  };
}
