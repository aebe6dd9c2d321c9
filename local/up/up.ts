import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate } from '@/db/migrate';
import { setupNotice } from '@/lib/account/setup/printed-code';
import { buildSpeech } from '@/scripts/build-speech';
import { buildViewer } from '@/scripts/build-viewer';
import { readHost } from '../bind-host';
import { startPostgres } from '../postgres/server';
import { stopOrphanedApp } from './app-server';
import { buildOnce } from './build';
import { loadSecrets, openDataDir, projectRoot, writePrivately } from './data-dir';
import { makeDemo } from './demo';
import { describeFfmpeg } from './ffmpeg';
import { acquireLock } from './lock';
import { openLog } from './logs';
import { allocatePorts, readPort, requireFreePort, savePort } from './ports';
import { stepPrinter } from './progress';
import { readServices } from './remote-services';
import { checkDatabase, checkStorage, describeSpeech, loadEnvFiles, readAppUrl } from './services';
import { handleShutdownSignals } from './shutdown';
import { nextCommand, type ServerCommand, startSite } from './site';
import { startStandIns } from './stand-ins';
import { supervise } from './supervise';
import { installPrograms, missingNotice, PROGRAMS } from './system-packages';
import { describeError, isUserError, userError } from './user-error';
import { startWorkers, workerPidFiles } from './workers';

const printLine = (text: string): void => console.log(text);

/** In milliseconds. The first compilation under `next dev` may take minutes on a slow machine. */
const STARTUP_TIMEOUT_MS = { dev: 300_000, production: 60_000 };

/**
 * Runs `npm run up` or, with `dev`, `npm run dev`. Every step registers how to undo it. Exits with 0 after a requested
 * stop, and with 1 if a step failed.
 * @param demo - whether to make the demo journal, unless it's there
 * @param site - a command to start in place of Next's server, without a build
 */
export async function up({
  dev,
  demo = false,
  site,
}: {
  dev: boolean;
  demo?: boolean;
  site?: ServerCommand;
}): Promise<never> {
  loadEnvFiles(projectRoot, dev);
  const { env } = process;
  const dataDirName = env.DATA_DIR || join(projectRoot, '.data');
  const stopping = handleShutdownSignals();
  const step = stepPrinter(stopping.signal);
  try {
    const port = readPort(env.PORT);
    const reach = readHost(env.HOST);
    const appUrl = readAppUrl(env.APP_URL, port);
    const configured = readServices(env);
    const dataDir = openDataDir(dataDirName);
    // For tests of several processes behind a proxy at APP_URL.
    const morePorts = (env.DAYLIGHT_MORE_PORTS ?? '').split(',').filter(Boolean).map(Number);
    const sites = [port, ...morePorts].map((at, index) => ({
      port: at,
      pidFile: join(dataDir, index === 0 ? 'app.pid' : `app-${index + 1}.pid`),
    }));

    const lock = await acquireLock(join(dataDir, 'up.lock'), { note: `port ${port}` });
    if ('holder' in lock) {
      throw userError(
        `Daylight already runs with the data in ${dataDir} (process ${lock.holder}, ${lock.note}). Stop it first, or start a second copy with its own data: DATA_DIR=.data-2 PORT=${port + 1} npm run up`,
      );
    }
    stopping.onStop(() => lock.release());

    const localFile = join(dataDir, 'local.json');
    rmSync(localFile, { force: true });
    stopping.onStop(() => rmSync(localFile, { force: true }));
    const log = openLog(join(dataDir, 'logs', 'parts.log'));
    stopping.onStop(() => log.close());
    const note = (line: string) => log.write(`${new Date().toISOString()} ${line}\n`);
    stopping.onFailure((error) =>
      note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    const announce = (line: string) => {
      note(line);
      printLine(`  ${line}`);
    };

    stopping.signal.addEventListener('abort', () => {
      lock.announceStop();
      announce(`Stopping (${stopping.signal.reason.message}).`);
    });

    const pidFiles = [...sites.map(({ pidFile }) => pidFile), ...workerPidFiles(dataDir)];
    for (const file of pidFiles) await stopOrphanedApp(file);
    for (const site of sites) await requireFreePort(site.port);

    const missing = await step('System programs', () =>
      installPrograms({ programs: PROGRAMS.up, log: note, stop: stopping.signal }),
    );
    if (missing.length > 0) printLine(`    ${missingNotice(missing)}`);
    for (const line of await describeFfmpeg(env)) printLine(`    ${line}`);

    const secrets = loadSecrets(dataDir);
    const ports = await allocatePorts(dataDir, ['database', 'storage', 'jobs', 'mail', 'till'], port);
    let databaseUrl = env.DATABASE_URL ?? '';
    if (configured.database) {
      await step('Database', () => checkDatabase(databaseUrl));
    } else {
      const start = (at: number) =>
        startPostgres({ dataDir: join(dataDir, 'postgres'), port: at, log: note });
      const server = await step(
        'Database',
        () => start(ports.database),
        (it) => `PostgreSQL ${it.version}${it.adopted ? ', still running from an earlier start' : ''}`,
      );
      databaseUrl = server.url;
      savePort(dataDir, 'database', server.port);
      const kept = supervise('database', server, () => start(server.port), announce);
      stopping.onStop(() => kept.stop());
    }
    await step('Tables', () => migrate(databaseUrl));

    if (configured.storage) await step('Storage', () => checkStorage(env.S3_ENDPOINT));
    const parts = await step('Storage, email, jobs and payments', () =>
      startStandIns({
        configured,
        dataDir,
        secrets,
        ports,
        databaseUrl,
        appUrl,
        appPort: port,
        // Not APP_URL, which may lead through a proxy that isn't here.
        callbackOrigin: morePorts.length > 0 ? appUrl : `http://127.0.0.1:${port}`,
        jobsTimeScale: Number(env.DAYLIGHT_JOBS_TIME_SCALE || 1),
        log: note,
      }),
    );
    stopping.onStop(() => parts.close());

    const authSecret = env.AUTH_SECRET || secrets.authSecret;
    const siteEnv: NodeJS.ProcessEnv = {
      MAIL_FROM: 'Daylight <hello@daylight.local>',
      ...env,
      ...parts.env,
      NODE_ENV: dev ? 'development' : 'production',
      // Otherwise each of V8's compiler threads keeps memory of its own: 150 MB once speech has been recognized.
      MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
      // Trying Daylight out takes no packages, and the start says how ffmpeg runs.
      FFMPEG_SANDBOX: env.FFMPEG_SANDBOX || 'auto',
      DAYLIGHT_LOCAL: '1',
      DATA_DIR: dataDir,
      HOST: reach === 'loopback' ? '127.0.0.1' : '::',
      APP_URL: appUrl,
      AUTH_SECRET: authSecret,
      NEXTAUTH_URL: appUrl,
      // A test's connection pooler.
      DATABASE_URL: env.DAYLIGHT_POOLER_URL || databaseUrl,
      ...(configured.database || env.DAYLIGHT_POOLER_URL ? {} : { DATABASE_PREPARED_STATEMENTS: '1' }),
    };
    if (!dev && !site) {
      const build = { root: projectRoot, env: siteEnv, log: log.write, stop: stopping.signal };
      await step(
        'Site',
        () => buildOnce(build),
        (built) => (built ? 'built' : 'unchanged since the last build'),
      );
    }
    if (dev) await Promise.all([buildSpeech(), buildViewer()]);
    const journal = demo
      ? await step('Demo journal', () =>
          makeDemo({ root: projectRoot, env: siteEnv, log: log.write, stop: stopping.signal }),
        )
      : null;
    // They need a job service that workers can connect to. Before the site, which isn't healthy without them.
    if (siteEnv.JOBS === 'worker') await startWorkers({ dev, env: siteEnv, dataDir, announce, stopping });
    const siteLog = openLog(join(dataDir, 'logs', 'app.log'));
    stopping.onStop(() => siteLog.close());
    for (const { port, pidFile } of sites) {
      await step('First request', () =>
        startSite({
          command: site ?? nextCommand(dev, port, reach),
          pidFile,
          port,
          reach,
          timeoutMs: STARTUP_TIMEOUT_MS[dev ? 'dev' : 'production'],
          env: { ...siteEnv, PORT: String(port) },
          log: siteLog,
          syncJobs: parts.syncJobs,
          announce,
          note,
          stopping,
        }),
      );
    }

    stopping.signal.throwIfAborted();
    const local = {
      app: appUrl,
      ...parts.addresses,
      ...(configured.database ? {} : { database: databaseUrl }),
    };
    writePrivately(localFile, local);
    const hidden = { ...local, ...(local.database && { database: local.database.replace(/\/\/.*@/, '//') }) };
    for (const [name, address] of Object.entries(hidden)) printLine(`  ${name.padEnd(9)} ${address}`);
    printLine(`  transcription by ${describeSpeech(env)}`);
    printLine(`  logs      ${join(dataDir, 'logs')}`);
    if (journal) printLine(`  demo      ${journal}`);
    // Otherwise people just sign up. A new code at each start, since only this line says it.
    const invites = env.SIGNUP && env.SIGNUP !== 'open';
    const notice = invites && (await setupNotice(databaseUrl, { ...env, APP_URL: appUrl }, { renew: true }));
    printLine(`Ready on http://localhost:${port}`);
    if (notice) printLine(notice);
    await stopping.requested;
  } catch (error) {
    if (!stopping.signal.aborted) {
      process.exitCode = 1;
      stopping.fail(error);
      console.error(`\n${describeError(error, dataDirName)}`);
      if (!isUserError(error)) console.error(`Details are in ${join(dataDirName, 'logs', 'parts.log')}`);
    }
  }
  await stopping.runHandlers();
  return process.exit();
}

const HELP = `npm run up [-- --demo]    builds Daylight and starts it with everything it needs
npm run dev [-- --demo]   the same, with hot reload

  --demo            adds a journal with entries that play, once, and says how to log in
  --use SERVICES    uses services that aren't on this machine: database,storage,jobs,email,payments
  --help            shows this

PORT and DATA_DIR choose the port and the folder for the data. docs/testing.md has more.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { demo: flag, help: flag, use: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.use !== undefined) process.env.DAYLIGHT_USE_REMOTE = values.use;
  if (values.help) console.log(HELP);
  else await up({ dev: positionals[0] === 'dev', demo: values.demo });
}
