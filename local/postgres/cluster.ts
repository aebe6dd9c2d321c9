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

/** A database cluster on the disk, and how to reach it from the account that runs the server. */
export type Cluster = {
  home: string;
  data: string;
  /** Of the app's role. */
  password: string;
  /** Of the superuser, which only `up` itself uses. */
  adminPassword: string;
  binaries: PostgresBinaries;
  /** Runs a program of PostgreSQL: its folder as that program sees it, and the options to start it with. */
  within<T>(log: number, run: (home: string, options: SpawnOptions) => T): T;
};

const isRoot = (): boolean => process.getuid?.() === 0;

/** As root: the owner of the files if there are any, else `postgres`, else `nobody`; undefined otherwise. */
function accountFor(data: string): OsUser | undefined {
  if (!isRoot()) return undefined;
  const owner = statSync(data, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No user of that name.
    }
  }
  throw userError(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as. Start as another user, or set DATABASE_URL.',
  );
}

const canEnter = (folder: string, account: OsUser): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/' }).status === 0;

/** The environment of PostgreSQL's programs: nothing of ours, no secret, one language for its messages. */
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
 * The account may own its folder and still be unable to get there, when a folder above is closed to it (a project
 * under /root). On Linux it is then given the open folder itself, as descriptor 3: /proc/self/fd/3 leads there
 * without passing the folders above. That holds for the server's children too, which inherit the descriptor.
 */
function workingDirectoryFor(home: string, account: OsUser | undefined): Cluster['within'] {
  const closed = account !== undefined && !canEnter(home, account);
  if (closed && process.platform !== 'linux') {
    throw userError(
      `PostgreSQL may not run as root, and the user it would run as cannot enter ${home}. Start as another user, or set DATA_DIR to a folder that others may enter.`,
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
 * Locales that sort by code point and know all of Unicode's letters, the same everywhere: built in from
 * version 17, of the system before that. Plain C, which lowers ASCII only, is the last resort.
 */
const localesFor = (major: number): string[][] =>
  major >= 17
    ? [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']]
    : [['--locale=C.UTF-8'], ['--locale=en_US.UTF-8'], ['--locale=C']];

/** Makes the files aside and renames them, so that a start killed half-way leaves nothing to trip over. */
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
  throw userError(`PostgreSQL could not make its files in ${cluster.home}:\n${output}`);
}

/** A password, made once: its file is written before the files that need it. */
function loadPassword(path: string, account: OsUser | undefined): string {
  if (!existsSync(path))
    writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
  if (account) chownSync(path, account.uid, account.gid);
  return readFileSync(path, 'utf8');
}

/**
 * Opens the cluster under `home`, making it when there is none.
 * Throws with what to do when it needs another version of PostgreSQL; nothing is touched then.
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
        `${data} is there but is no database: it has no PG_VERSION. Move it away and start again.`,
      );
    }
    createCluster(cluster, throwaway);
  }
  return cluster;
}
