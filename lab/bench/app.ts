import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';

/** A process of ours that serves something. */
export interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface App extends Server {
  /** The process of `up`, which holds the storage and the other stand-ins. */
  partsPid: number;
  dataDir: string;
  /** How long it took from the command to "Ready on". */
  secondsToReady: number;
}

/** A build comes first where the sources have changed. In milliseconds. */
const READY_TIMEOUT_MS = 300_000;

/**
 * Starts a Node program and waits for a text in what it prints.
 * @throws Error with all that it printed, when it ends first or five minutes pass
 */
export async function spawnServer(
  args: string[],
  { ready, cwd = projectRoot, env = {} }: { ready: string; cwd?: string; env?: Record<string, string> },
): Promise<{ child: ChildProcess; output(): string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  let output = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${args.at(-1)} ${why}:\n${output}`));
      const timer = setTimeout(() => fail('was not ready in time'), READY_TIMEOUT_MS);
      child.once('error', reject);
      child.once('exit', () => {
        clearTimeout(timer);
        fail('has ended');
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
          if (!output.includes(ready)) return;
          clearTimeout(timer);
          resolve();
        });
      }
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, output: () => output, stop };
}

/** Starts what `npm run up` starts, with the local stand-ins whatever the environment says. */
export async function startApp(dataDir: string, port: number): Promise<App> {
  const began = performance.now();
  const { child, stop } = await spawnServer(['--import', 'tsx', 'local/up/up.ts'], {
    ready: 'Ready on ',
    env: {
      ...CLEARED_ENV,
      DATA_DIR: dataDir,
      PORT: String(port),
      DAYLIGHT_NO_APT: '1',
      // Requests can be from many people.
      TRUSTED_PROXIES: '1',
      // It ends with this process, also when that is killed.
      DAYLIGHT_BOOTSTRAP_PID: String(process.pid),
    },
  });
  const secondsToReady = (performance.now() - began) / 1000;
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'app.pid'), 'utf8')) as { pid: number };
  return { url: `http://127.0.0.1:${port}`, pid, partsPid: child.pid ?? 0, dataDir, secondsToReady, stop };
}

/** Points this process at the app's database and storage, as the app itself is, before `lib/foundation/env` is first read. */
export function loadAppEnvironment({ dataDir }: App): void {
  const read = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const [addresses, secrets] = [read('local.json'), read('secrets.json')];
  Object.assign(process.env, {
    APP_URL: addresses.app,
    AUTH_SECRET: secrets.authSecret,
    DATABASE_URL: addresses.database,
    DATABASE_PREPARED_STATEMENTS: '1',
    S3_ENDPOINT: addresses.storage,
    S3_REGION: 'us-east-1',
    S3_BUCKET: 'daylight',
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
    INNGEST_BASE_URL: addresses.jobs,
    INNGEST_EVENT_KEY: secrets.inngestEventKey,
    INNGEST_SIGNING_KEY: secrets.inngestSigningKey,
    RESEND_API_KEY: secrets.resendApiKey,
    MAIL_FROM: 'bench@daylight.local',
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    STRIPE_API_BASE: addresses.till,
  });
}
