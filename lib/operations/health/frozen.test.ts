import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { FROZEN_MS } from '@/lib/foundation/awake-timer';
import { reportEventRun, reportJobRun } from '@/lib/video/processing/process-reports';
import { projectRoot } from '@/local/up/data-dir';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { childProgram } from '@/test/child-program';
import { type OtlpSink, startOtlpSink } from '@/test/otlp-sink';
import { jobSettings } from './jobs';

const EXPORT_MS = 1000;
/** Longer than a health check may take, and so than several exports of metrics. In seconds. */
const FROZEN_SECONDS = 4.2;

let sink: OtlpSink;
let services: Server;
let child: ChildProcess;
let site: string;
let takeDown: () => Promise<void>;
const lines: string[] = [];
/** Whether storage lets a call wait, and those that do. */
let holds = false;
const held: ServerResponse[] = [];

let asked = 0;
/** Whether everything that was asked is done, exports included, which go on behind an answer. */
const isIdle = () => lines.at(-1) === `idle ${asked}`;
const written = () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

beforeAll(async () => {
  sink = await startOtlpSink();
  services = createServer((request, response) => {
    if (holds && request.url?.startsWith('/test')) held.push(response);
    else response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(services, 'listening');
  const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  takeDown = await useFreshDatabase({
    settings: { S3_ENDPOINT: url, S3_FORCE_PATH_STYLE: '1', INNGEST_BASE_URL: `${url}/jobs` },
  });
  await reportJobRun();
  await reportEventRun(jobSettings());
  child = spawn(process.execPath, [await childProgram('test/function-process.ts')], {
    cwd: projectRoot,
    env: {
      ...process.env,
      DATABASE_URL: `${process.env.DATABASE_URL}?application_name=function`,
      SERVERLESS: '1',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_MS),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = createInterface({ input: child.stdout ?? process.stdin });
  output.on('line', (line) => lines.push(line));
  const port = () => lines.find((line) => line.startsWith('port'));
  expect(await waitUntil(() => port() !== undefined, 60_000)).toBe(true);
  site = `http://127.0.0.1:${/\d+/.exec(port() ?? '')}`;
});
afterAll(async () => {
  child.kill('SIGKILL');
  services.closeAllConnections();
  services.close();
  await sink.stop();
  await takeDown();
});

async function statusOf(path: string): Promise<number> {
  asked += 1;
  return (await fetch(site + path, { headers: { connection: 'close' } })).status;
}

/** Freezes the process for {@link FROZEN_SECONDS} by the database's clock, and does some work meanwhile. */
async function freeze(meanwhile: () => Promise<unknown>): Promise<void> {
  const [start] = await db().execute<{ at: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 as at`,
  );
  child.kill('SIGSTOP');
  await meanwhile();
  await db().execute(sql`select pg_sleep_until(to_timestamp(${(start?.at ?? 0) + FROZEN_SECONDS}::float8))`);
  child.kill('SIGCONT');
}

/** Ends the process's connections to the database, as some databases do with those that say nothing for a while. */
const endConnections = () =>
  db().execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'function'`);

it('calls no service failed because it was frozen in the middle of a check', async () => {
  holds = true;
  const health = statusOf('/api/health');
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await freeze(async () => {
    holds = false;
    for (const response of held) response.destroy();
  });
  expect(await health).toBe(200);
});

it('exports a request’s trace before it’s frozen, and answers the next one once it runs again', async () => {
  expect(await statusOf('/query')).toBe(200);
  expect(await statusOf('/api/health')).toBe(200);
  const names = () => sink.spans().map(({ name }) => name);
  await expect.poll(names).toEqual(expect.arrayContaining(['GET none', 'answer', 'select']));
  await expect.poll(isIdle).toBe(true);
  await freeze(endConnections);
  expect(await statusOf('/query')).toBe(200);
  expect(await statusOf('/api/health')).toBe(200);
});

it('says nothing that isn’t so: no failed check, no blocked event loop, and no metric', async () => {
  await expect.poll(isIdle).toBe(true);
  // A busy machine may really have blocked it for a moment.
  expect(written().filter(({ event, ms }) => event !== 'event-loop.blocked' || ms > FROZEN_MS)).toEqual([]);
  expect(sink.points('daylight.health')).toEqual([]);
  expect(sink.points('nodejs.eventloop.delay.p99')).toEqual([]);
});
