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
   * The address of the app's database as the role that owns it. It has the password, so it goes to local.json (mode
   * 600) and environments, but never to the terminal.
   */
  url: string;
  /** The same as the superuser, for tests that create databases. Nothing that serves requests gets it. */
  adminUrl: string;
  port: number;
  pid: number;
  version: string;
  /** True if the server was already running, because the process that started it was killed. */
  adopted: boolean;
  /** Shuts down fast, which rolls back open transactions. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Calls back once if the server exits without `stop()`. */
  onExit(callback: () => void): void;
};

type Options = {
  /** The folder for the cluster, its password and its log. It's created if it doesn't exist. */
  dataDir: string;
  /** The port, or a free one if unset. An adopted server keeps its own. */
  port?: number;
  /** For tests. It's faster, but its data doesn't survive a power loss. */
  throwaway?: boolean;
  log?: (line: string) => void;
};

/** Returns whether a server accepts connections. It may refuse the password, as it does before its roles exist. */
const isAccepting = (cluster: Cluster, port: number): Promise<boolean> =>
  withConnection(appDatabaseUrl(cluster, port), (sql) => sql`select 1`).then(
    () => true,
    (error: { code?: string }) => error.code === '28P01',
  );

/** Returns whether a process belongs to a server. On Linux, its working directory is the data directory. */
function runsInDataDir(pid: number, data: string): boolean {
  if (process.platform !== 'linux') return commandLine(pid).includes(data);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}

/** Returns the server that postmaster.pid names, if it's running and belongs to this folder. */
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

/** Fast shutdown, then immediate shutdown, then kill, each with its timeout in milliseconds. */
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
 * Cleans up after a killed server: child processes that haven't exited yet, which would keep a new server from
 * starting, and a pid file whose number may now belong to another program.
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
 * Returns whether crash recovery may sync the whole file system at once, which on a busy disk is seconds faster than
 * file by file. PostgreSQL's manual (recovery_init_sync_method) advises it since Linux 5.8, which reports its errors.
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
    // Statements and error details have what people wrote. The app logs its own errors.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Starts the server's process and waits until it accepts connections. Crash recovery may take a while. */
async function launch(cluster: Cluster, port: number, throwaway: boolean): Promise<ProcessIdentity> {
  const logPath = join(cluster.home, 'server.log');
  const logStart = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logPath, 'a', 0o600);
  const child = cluster.within(log, (home, options) =>
    // Runs in its own process group, so that Ctrl-C only reaches `up`, which stops everything in order.
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
  throw userError(`PostgreSQL didn't start in ${cluster.data}:\n${output.split('\n').slice(-8).join('\n')}`);
}

/**
 * Starts PostgreSQL on the loopback interface, or adopts this folder's server if it's still running. Throws an error
 * that says what to do if the folder belongs to another version or can't be used, or if the disk is full.
 */
export async function startPostgres(options: Options): Promise<PostgresServer> {
  const { dataDir, throwaway = false, log = () => undefined } = options;
  const cluster = openCluster(dataDir, throwaway);
  let running = runningServer(cluster);
  if (running && !(await waitUntil(() => isAccepting(cluster, running?.port ?? 0), 20_000))) {
    log(`postgres: process ${running.pid} isn't responding, so it's replaced`);
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
  // An adopted server isn't a child process, so both kinds are polled. Outside Linux, each check runs `ps`.
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
