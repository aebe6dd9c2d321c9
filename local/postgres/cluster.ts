import { execFileSync, type SpawnOptions, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { userError } from '../up/user-error';
import { findPostgres, type OsUser, type PostgresBinaries } from './binaries';

/** The superuser of new clusters. */
export const ADMIN_ROLE = 'postgres';

/** A database cluster on disk, and how to reach it as the user that runs the server. */
export type Cluster = {
  home: string;
  data: string;
  /** The password of the app's role. */
  password: string;
  /** The password of the superuser, which only `up` itself uses. */
  adminPassword: string;
  binaries: PostgresBinaries;
  /** Calls `run` with the cluster's folder as PostgreSQL's programs see it, and the options to start them with. */
  within<T>(log: number, run: (home: string, options: SpawnOptions) => T): T;
};

const isRoot = (): boolean => process.getuid?.() === 0;

/** As root, returns the owner of the data, or else `postgres` or `nobody`. Otherwise returns undefined. */
function accountFor(data: string): OsUser | undefined {
  if (!isRoot()) return undefined;
  const owner = statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There's no user with this name.
    }
  }
  throw userError(
    'PostgreSQL refuses to run as root, and there\'s no user "postgres" or "nobody" to run it as. Start as another user, or set DATABASE_URL.',
  );
}

const canEnter = (folder: string, account: OsUser): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/' }).status === 0;

/** Returns the environment of PostgreSQL's programs, without secrets and with messages in English. */
function postgresEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR, LD_LIBRARY_PATH } = process.env;
  return {
    PATH,
    SystemRoot,
    TEMP,
    TMPDIR,
    LD_LIBRARY_PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
  } as unknown as NodeJS.ProcessEnv;
}

/**
 * The account may own its folder and still be unable to reach it, if it can't enter a folder above (a project under
 * /root). On Linux, the program then gets the open folder as descriptor 3, because /proc/self/fd/3 leads there without
 * passing through the folders above. The server's children inherit the descriptor.
 */
function workingDirectoryFor(home: string, account: OsUser | undefined): Cluster['within'] {
  const closed = account !== undefined && !canEnter(home, account);
  if (closed && process.platform !== 'linux') {
    throw userError(
      `PostgreSQL can't run as root, and the user it would run as can't enter ${home}. Start as another user, or set DATA_DIR to a folder that other users can enter.`,
    );
  }
  return (log, run) => {
    const common = { ...account, cwd: closed ? '/' : home, env: postgresEnvironment(), windowsHide: true };
    if (!closed) return run(home, { ...common, stdio: ['ignore', log, log] });
    const folder = openSync(home, 'r');
    try {
      return run('/proc/self/fd/3', { ...common, stdio: ['ignore', log, log, folder] });
    } finally {
      closeSync(folder);
    }
  };
}

/**
 * Returns locales that sort by code point and lowercase all of Unicode, to be tried in order. They're built in since
 * version 17, and come from the system before that. Plain C isn't among them: migrating refuses it, as it only knows ASCII.
 */
const localesFor = (major: number): string[][] =>
  major >= 17
    ? [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']]
    : [['--locale=C.UTF-8'], ['--locale=en_US.UTF-8']];

/** Creates the files under another name and renames them, so that a start that's killed leaves nothing half-made. */
function createCluster(cluster: Cluster, throwaway: boolean): void {
  const draft = join(cluster.home, 'data.new');
  const logPath = join(cluster.home, 'initdb.log');
  for (const locale of localesFor(cluster.binaries.major)) {
    rmSync(draft, { recursive: true, force: true });
    const log = openSync(logPath, 'w', 0o600);
    const { status, error } = cluster.within(log, (home, options) =>
      spawnSync(
        join(cluster.binaries.bin, 'initdb'),
        [
          ...[
            '-D',
            `${home}/data.new`,
            '-U',
            ADMIN_ROLE,
            '-A',
            'scram-sha-256',
            `--pwfile=${home}/admin-password`,
          ],
          ...['--data-checksums', '--encoding=UTF8', ...locale, ...(throwaway ? ['--no-sync'] : [])],
        ],
        options as Parameters<typeof spawnSync>[2] & object,
      ),
    );
    closeSync(log);
    if (error) throw error;
    if (status === 0) {
      renameSync(draft, cluster.data);
      rmSync(logPath, { force: true });
      return;
    }
  }
  const output = readFileSync(logPath, 'utf8').trim().split('\n').slice(-8).join('\n');
  rmSync(draft, { recursive: true, force: true });
  if (/No space left on device|Disk quota exceeded/.test(output)) throw new Error('ENOSPC: initdb');
  throw userError(`PostgreSQL couldn't create its files in ${cluster.home}:\n${output}`);
}

/** Reads a password, after creating it on the first start. Its file is written before the files that need it. */
function loadPassword(path: string, account: OsUser | undefined): string {
  if (!existsSync(path))
    writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  if (account) chownSync(path, account.uid, account.gid);
  return readFileSync(path, 'utf8');
}

/**
 * Opens the cluster under `home`, or creates it. Throws an error that says what to do, and changes nothing, if it needs
 * another version of PostgreSQL.
 */
export function openCluster(home: string, throwaway: boolean): Cluster {
  const data = join(home, 'data');
  const versionFile = join(data, 'PG_VERSION');
  const dataMajor = existsSync(versionFile) ? Number.parseInt(readFileSync(versionFile, 'utf8'), 10) : null;
  const account = accountFor(data);
  const binaries = findPostgres(dataMajor, data, account);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (account) {
    chownSync(home, account.uid, account.gid);
    chmodSync(home, 0o700);
  }
  const password = loadPassword(join(home, 'password'), account);
  const adminPassword = loadPassword(join(home, 'admin-password'), account);
  const cluster = {
    home,
    data,
    password,
    adminPassword,
    binaries,
    within: workingDirectoryFor(home, account),
  };
  if (dataMajor === null) {
    if (existsSync(data)) {
      throw userError(
        `${data} exists but isn't a database, because it has no PG_VERSION. Move it away and start again.`,
      );
    }
    createCluster(cluster, throwaway);
  }
  return cluster;
}
