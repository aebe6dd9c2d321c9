import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@/db/migrate';
import { type Mailbox, openMailbox } from '@/e2e/mailbox';
import type { StorageAccess } from '@/e2e/storage';
import { startNginx } from '@/lab/real/nginx';
import { startPooler } from '@/lab/real/pooler';
import { answersAtAll, freePorts, startProcess } from '@/lab/real/process';
import { createBucket, storageSettings } from '@/lab/real/servers/bucket';
import { freeInngestPorts, selfHosted, startInngest } from '@/lab/real/servers/inngest';
import { redis } from '@/lab/real/servers/redis';
import { versitygwCommand } from '@/lab/real/servers/versitygw';
import { startPostgres } from '@/local/postgres/server';
import { startResend } from '@/local/resend/server';
import { buildOnce } from '@/local/up/build';
import { projectRoot } from '@/local/up/data-dir';
import { CLEARED_ENV } from '@/local/up/fixtures/up-process';
import { nextCommand } from '@/local/up/site';
import { workerArguments } from '@/local/up/workers';
import type { Victim } from './options';
import { appService, type Service, serverService } from './service';

export const LOAD_PROGRAMS = ['inngest', 'pgbouncer', 'versitygw', 'redis-server', 'nginx', 'ffmpeg'];

/** As many as a server with systemd has (docs/deploy/vps.md). */
const PROCESSES = [1, 2];

export interface LoadSite {
  /** Where people reach it. */
  url: string;
  /** The settings of its processes. */
  env: Record<string, string>;
  /** Postgres without the pooler, for checks. */
  databaseUrl: string;
  /** The ports of its services, by name. */
  ports: Record<string, number>;
  mailbox: Mailbox;
  storage: StorageAccess;
  /** Web servers and workers. The first of each is never killed, so that one lives for the whole time. */
  processes: Service[];
  /** What a kill of each victim ends. */
  victims: Record<Victim, Service>;
  /** Whether the site says that everything works. */
  isHealthy(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Returns the commands of the app's processes, as services. */
function appServices(env: Record<string, string>, ports: readonly number[], dir: string) {
  const common = { cwd: projectRoot, dir, env: env as NodeJS.ProcessEnv };
  const webs = ports.map((port, index) =>
    appService({
      ...common,
      name: `web ${index + 1}`,
      args: nextCommand(false, port, 'loopback').slice(1),
      isReady: () => answersAtAll(`http://127.0.0.1:${port}/manifest.webmanifest`),
    }),
  );
  const workers = PROCESSES.map((number) =>
    appService({
      ...common,
      name: `worker ${number}`,
      args: workerArguments(false),
      isReady: (lines) => lines.some((line) => line.includes('"worker.connected"')),
    }),
  );
  return { webs, workers };
}

/**
 * Builds the site and starts it as on a server of its own: two web servers behind nginx, two workers, PgBouncer in front
 * of Postgres, versitygw, and Inngest with Redis.
 * @param programs the path of each of LOAD_PROGRAMS
 * @param dir an empty folder for data
 * @param logs an empty folder for logs
 */
export async function startSite(
  programs: Record<string, string>,
  dir: string,
  logs: string,
): Promise<LoadSite> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
  };
  const folder = (name: string) => {
    const path = join(dir, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const started = async (service: Service) => {
    closers.push(() => service.stop());
    await service.start();
    return service;
  };
  try {
    const ports = await freePorts('site', 'web1', 'web2', 'pooler', 'storage');
    const url = `http://localhost:${ports.site}`;
    const database = await startPostgres({ dataDir: join(dir, 'postgres') });
    closers.push(() => database.stop());
    await migrate(database.url);

    let databaseUrl = '';
    const pooler = await started(
      serverService('pooler', async () => {
        const running = await startPooler(programs.pgbouncer ?? '', [database.url], ports.pooler);
        databaseUrl = running.through(database.url);
        return running;
      }),
    );

    const storageUrl = `http://127.0.0.1:${ports.storage}`;
    const gateway = versitygwCommand({ port: ports.storage, data: folder('objects') });
    const storage = await started(
      serverService('storage', () =>
        startProcess({
          command: programs.versitygw ?? '',
          ...gateway,
          cwd: dir,
          log: join(logs, 'storage.log'),
          isReady: () => answersAtAll(storageUrl),
        }),
      ),
    );
    await createBucket(storageUrl, [url]);

    const queue = await redis({ programs, dir: folder('redis') });
    closers.push(() => queue.stop());
    const jobs = selfHosted(folder('inngest'), queue.url);
    const jobPorts = await freeInngestPorts();
    const inngest = await started(
      serverService('inngest', () =>
        startInngest({ programs, dir: folder('inngest') }, jobs.args, jobPorts, join(logs, 'inngest.log')),
      ),
    );

    const apiKey = `re_${randomBytes(16).toString('hex')}`;
    const mail = await startResend({ dir: folder('mail'), apiKey });
    closers.push(() => mail.close());

    const env = {
      ...CLEARED_ENV,
      PATH: process.env.PATH ?? '',
      HOME: dir,
      TMPDIR: folder('tmp'),
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      MALLOC_ARENA_MAX: '2',
      APP_URL: url,
      AUTH_SECRET: randomBytes(32).toString('hex'),
      // The person's browser, and nginx.
      TRUSTED_PROXIES: '2',
      DATABASE_URL: databaseUrl,
      ...storageSettings(storageUrl),
      ...jobs.settings(`http://127.0.0.1:${jobPorts.port}`),
      JOBS: 'worker',
      // What this machine allows, as `npm run up` does.
      FFMPEG_SANDBOX: 'auto',
      RESEND_API_KEY: apiKey,
      RESEND_BASE_URL: mail.url,
      MAIL_FROM: 'Daylight <hello@daylight.test>',
    };
    await buildOnce({
      root: projectRoot,
      env: { ...env, NODE_ENV: 'production' },
      log: () => undefined,
      stop: new AbortController().signal,
    });
    const { webs, workers } = appServices(env, [ports.web1, ports.web2], logs);
    for (const service of [...workers, ...webs]) await started(service);
    const proxy = await startNginx({
      program: programs.nginx ?? '',
      port: ports.site,
      sites: [ports.web1, ports.web2],
      dir: folder('nginx'),
    });
    closers.push(() => proxy.stop());
    const [, web] = webs;
    const [, worker] = workers;
    if (!web || !worker) throw new Error('There are too few processes.');
    return {
      url,
      env,
      databaseUrl: database.url,
      ports: { ...ports, ...jobPorts, mail: mail.port },
      mailbox: openMailbox({ addresses: { mail: mail.url }, secrets: { resendApiKey: apiKey } }),
      storage: {
        endpoint: storageUrl,
        region: env.S3_REGION,
        bucket: env.S3_BUCKET,
        accessKeyId: env.S3_ACCESS_KEY_ID,
        secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      },
      processes: [...webs, ...workers],
      victims: { web, worker, inngest, storage, pooler },
      isHealthy: () =>
        fetch(`http://127.0.0.1:${ports.web1}/api/health`, { signal: AbortSignal.timeout(10_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
