import { spawn } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../up/ports';
import {
  commandLine,
  identifyProcess,
  isSameProcess,
  type ProcessIdentity,
  sendSignal,
  waitUntil,
} from '../up/processes';
import { userError } from '../up/user-error';
import { type Cluster, openCluster } from './cluster';
import { adminDatabaseUrl, appDatabaseUrl, prepareRoles, withConnection } from './roles';

export type PostgresServer = {
  /**
   * The app's database as the role that owns it. With the password in it: for local.json (mode 600) and environments,
   * never for the terminal.
   */
  url: string;
  /** As the superuser, for tests that make databases. Nothing that serves requests gets it. */
  adminUrl: string;
  port: number;
  pid: number;
  version: string;
  /** The server was running already, left behind by a start that was killed. */
  adopted: boolean;
  /** Fast shutdown: open transactions are rolled back. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Called once when the server ends without `stop()`. */
  onExit(callback: () => void): void;
};

type Options = {
  /** The folder for the cluster, its password and its log; made when missing. */
  dataDir: string;
  /** Where to listen unless an adopted server listens elsewhere; a free port when left out. */
  port?: number;
  /** For tests: faster, and its data does not survive a power loss. */
  throwaway?: boolean;
  log?: (line: string) => void;
};

/** Whether a server accepts connections: also when it refuses the password, as before its roles are made. */
const isAccepting = (cluster: Cluster, port: number): Promise<boolean> =>
  withConnection(appDatabaseUrl(cluster, port), (sql) => sql`select 1`).then(
    () => true,
    (error: { code?: string }) => error.code === '28P01',
  );

/** On Linux every process of a server has its data directory as its working directory. */
function runsInDataDir(pid: number, data: string): boolean {
  if (process.platform !== 'linux') return commandLine(pid).includes(data);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

/** The server that postmaster.pid names, if it lives and is really the one of this folder. */
function runningServer(cluster: Cluster): (ProcessIdentity & { port: number }) | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster.data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const found = identifyProcess(Number(lines[0]));
  return isSameProcess(found) && runsInDataDir(found.pid, cluster.data)
    ? { ...found, port: Number(lines[3]) }
    : null;
}

/** Fast shutdown, then immediate shutdown, then the end; each with its timeout in milliseconds. */
const STOP_SIGNALS: [NodeJS.Signals, number][] = [
  ['SIGINT', 4000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 2000],
];

async function killProcess(target: ProcessIdentity, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [name, timeoutMs] of signals) {
    if (!isSameProcess(target)) return;
    sendSignal(target.pid, name);
    if (await waitUntil(() => !isSameProcess(target), timeoutMs)) return;
  }
}

/**
 * Clears what a killed server leaves: processes of its own that have not yet noticed, which would keep a new one
 * from starting, and a pid file whose number may since belong to another program.
 */
async function cleanUpKilledServer(cluster: Cluster): Promise<void> {
  const pids = process.platform === 'linux' ? readdirSync('/proc').map(Number).filter(Number.isInteger) : [];
  const orphans = pids.filter(
    (pid) => runsInDataDir(pid, cluster.data) && /^postgres\b|\/postgres\b/.test(commandLine(pid)),
  );
  await Promise.all(orphans.map(identifyProcess).map((orphan) => killProcess(orphan, STOP_SIGNALS.slice(1))));
  rmSync(join(cluster.data, 'postmaster.pid'), { force: true });
}

/**
 * Whether recovery after a crash may sync the file system as a whole: seconds faster on a busy disk than file by file.
 * PostgreSQL's manual (recovery_init_sync_method) advises it from Linux 5.8 on, which reports the errors of it.
 */
function supportsSyncfs(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 8));
}

function serverSettings(port: number, throwaway: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '64MB',
    max_wal_size: '512MB',
    ...(supportsSyncfs() ? { recovery_init_sync_method: 'syncfs' } : {}),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and the details of their errors hold what people wrote; the app logs its own errors.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Starts the server's process and waits for its first answer; recovery after a crash may take its time. */
async function launch(cluster: Cluster, port: number, throwaway: boolean): Promise<ProcessIdentity> {
  const logPath = join(cluster.home, 'server.log');
  const logStart = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logPath, 'a', 0o600);
  const child = cluster.within(log, (home, options) =>
    // A group of its own: Ctrl-C in the terminal must reach `up` alone, which stops the parts in their order.
    spawn(
      join(cluster.binaries.bin, 'postgres'),
      ['-D', `${home}/data`, ...serverSettings(port, throwaway)],
      {
        ...options,
        detached: true,
      },
    ),
  );
  closeSync(log);
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const server = identifyProcess(child.pid ?? 0);
  const ready = await waitUntil(async () => ended || (await isAccepting(cluster, port)), 120_000);
  if (ready && !ended) return server;
  await killProcess(server, [['SIGQUIT', 3000]]);
  const output = readFileSync(logPath, 'utf8').slice(logStart).trim();
  if (/No space left on device|Disk quota exceeded/.test(output)) throw new Error('ENOSPC: postgres');
  throw userError(`PostgreSQL did not start in ${cluster.data}:\n${output.split('\n').slice(-8).join('\n')}`);
}

/**
 * Starts PostgreSQL on the loopback interface, or goes on with the server of this folder that still runs.
 * Throws with what to do when the folder belongs to another version, cannot be used, or its disk is full.
 */
export async function startPostgres(options: Options): Promise<PostgresServer> {
  const { dataDir, throwaway = false, log = () => undefined } = options;
  const cluster = openCluster(dataDir, throwaway);
  let running = runningServer(cluster);
  if (running && !(await waitUntil(() => isAccepting(cluster, running?.port ?? 0), 20_000))) {
    log(`postgres: process ${running.pid} does not answer and is replaced`);
    await killProcess(running, STOP_SIGNALS.slice(1));
    running = null;
  }
  const adopted = running !== null;
  let server: ProcessIdentity;
  let port: number;
  if (running) {
    ({ port } = running);
    server = running;
  } else {
    await cleanUpKilledServer(cluster);
    port = options.port ?? (await freePort());
    server = await launch(cluster, port, throwaway);
  }
  try {
    await prepareRoles(cluster, port);
  } catch (error) {
    await killProcess(server, STOP_SIGNALS);
    throw error;
  }
  log(
    `postgres ${cluster.binaries.version}: process ${server.pid}, port ${port}${adopted ? ', adopted' : ''}`,
  );

  let stopping = false;
  const callbacks: (() => void)[] = [];
  // An adopted server is nobody's child, so both kinds are watched in the same way. Elsewhere each look costs a `ps`.
  const watch = setInterval(
    () => {
      if (isSameProcess(server)) return;
      clearInterval(watch);
      if (!stopping) for (const callback of callbacks) callback();
    },
    process.platform === 'linux' ? 250 : 1000,
  );
  return {
    url: appDatabaseUrl(cluster, port),
    adminUrl: adminDatabaseUrl(cluster, port),
    port,
    pid: server.pid,
    version: cluster.binaries.version,
    adopted,
    onExit: (callback) => callbacks.push(callback),
    stop: async () => {
      stopping = true;
      clearInterval(watch);
      await killProcess(server, STOP_SIGNALS);
    },
  };
}
