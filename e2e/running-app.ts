import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNginx, testedProxy } from '@/lab/real/nginx';
import { startPooler, testedPooler } from '@/lab/real/pooler';
import { freePorts } from '@/lab/real/process';
import { testedPlatform } from '@/lab/real/vercel/tested-platform';
import { startPostgres } from '@/local/postgres/server';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';
import { freePort } from '@/local/up/ports';
import { testedService } from '@/test/tested-services';
import type { StorageAccess } from './storage';

/** Where a copy of Daylight that was started for tests answers, and the keys of its stand-ins. */
export interface App {
  url: string;
  dataDir: string;
  /** As local.json has them, and the storage that TEST_SERVICES names. */
  addresses: Record<'app' | 'storage' | 'jobs' | 'mail' | 'till' | 'database', string>;
  /** As secrets.json has them. */
  secrets: Record<
    'authSecret' | 'resendApiKey' | 's3AccessKeyId' | 's3SecretAccessKey' | 'stripeWebhookSecret',
    string
  >;
  storage: StorageAccess;
}

export interface RunningApp extends App {
  /** The addresses of the site's processes, which differ from `url` behind a proxy. */
  siteUrls: string[];
  child: ChildProcess;
  /** Asks for an orderly end and waits for it. */
  stop(): Promise<void>;
}

/** A build comes first where the sources have changed. Milliseconds. */
const READY_TIMEOUT_MS = 600_000;

/** A folder for the data of one copy. */
export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'daylight-e2e-'));

/**
 * Starts what `npm run up` starts, and waits for "Ready on". Not through its bootstrap, which would install
 * packages when its record of them differs: those that run this test are there.
 * @param env what is set beside the folder and the port. One trusted proxy lets each test be a client of its own.
 * @throws Error with everything it has printed, when it ends or is not ready in time
 */
export async function startRunningApp(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<RunningApp> {
  const port = Number(env.PORT ?? (await freePort()));
  const parts: { settings: Record<string, string>; stop(): Promise<void> }[] = [];
  const stopParts = async () => {
    for (const part of parts) await part.stop();
  };
  const proxy = testedProxy();
  if (proxy) parts.push(await startProxy(proxy, port, dataDir));
  const pooler = testedPooler();
  if (pooler) parts.push(await startDatabase(pooler, dataDir));
  const settings: Record<string, string> = Object.assign({}, ...parts.map((part) => part.settings));
  const sitePorts = [settings.PORT ?? port, ...(settings.DAYLIGHT_MORE_PORTS?.split(',') ?? [])];
  const siteUrls = sitePorts.map((sitePort) => `http://127.0.0.1:${sitePort}`);
  const start = testedPlatform() ?? ['local/up/up.ts'];
  const child = spawn(process.execPath, ['--import', 'tsx', ...start], {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...CLEARED_ENV,
      ...testedService('storage'),
      ...testedService('jobs'),
      // Naming them for the tests is enough.
      DAYLIGHT_USE_REMOTE: process.env.TEST_SERVICES ?? '',
      NEXT_TELEMETRY_DISABLED: '1',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // It ends with this process, also when that is killed.
      DAYLIGHT_BOOTSTRAP_PID: String(process.pid),
      DAYLIGHT_NO_APT: '1',
      DAYLIGHT_JOBS_TIME_SCALE: '0.05',
      TRUSTED_PROXIES: '1',
      DATA_DIR: dataDir,
      ...env,
      PORT: String(port),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await stopParts();
  };
  let output = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`The copy for tests ${why}:\n${output}`));
      const timer = setTimeout(() => fail('was not ready in time'), READY_TIMEOUT_MS);
      timer.unref();
      child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          if (!output.includes('Ready on ')) return;
          clearTimeout(timer);
          resolve();
        });
      }
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const read = (name: string) => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const [addresses, secrets] = [read('local.json'), read('secrets.json')];
  const storage = storageAccess(addresses, secrets);
  addresses.storage = storage.endpoint;
  return { url: addresses.app, siteUrls, dataDir, addresses, secrets, storage, child, stop };
}

/** Starts nginx on the copy's port, in front of two processes of the site. */
async function startProxy(program: string, port: number, dataDir: string) {
  const { first, second } = await freePorts('first', 'second');
  const dir = join(dataDir, 'nginx');
  const { stop } = await startNginx({ program, port, sites: [first, second], dir });
  const settings = {
    APP_URL: `http://localhost:${port}`,
    PORT: String(first),
    DAYLIGHT_MORE_PORTS: String(second),
    // The test's client is the other one.
    TRUSTED_PROXIES: '2',
  };
  return { settings, stop };
}

/** Starts the copy's database, which it finds running, and a pooler for the site. */
async function startDatabase(program: string, dataDir: string) {
  const database = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  const pooler = await startPooler(program, [database.url]);
  const stop = async () => {
    await pooler.stop();
    await database.stop();
  };
  return { settings: { DAYLIGHT_POOLER_URL: pooler.through(database.url) }, stop };
}

function storageAccess(addresses: App['addresses'], secrets: App['secrets']): StorageAccess {
  const given = testedService('storage');
  return {
    endpoint: given?.S3_ENDPOINT ?? addresses.storage,
    region: given?.S3_REGION ?? 'us-east-1',
    bucket: given?.S3_BUCKET ?? 'daylight',
    accessKeyId: given?.S3_ACCESS_KEY_ID ?? secrets.s3AccessKeyId,
    secretAccessKey: given?.S3_SECRET_ACCESS_KEY ?? secrets.s3SecretAccessKey,
  };
}

/** Removes the data of a copy that has ended. */
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });
