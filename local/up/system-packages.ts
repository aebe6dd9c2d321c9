import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Environment, projectRoot } from './data-dir';
import { lineSplitter } from './logs';

/** A system program that Daylight uses if it's installed. */
export type SystemProgram = {
  debian: string[];
  present: (env: Environment) => boolean;
  /** What doesn't work as well without it. */
  without: string;
  /** How to install it without apt. */
  elsewhere: string;
};

const isOnPath = (env: Environment, names: string[]): boolean =>
  (env.PATH ?? '')
    .split(delimiter)
    .some(
      (folder) =>
        folder &&
        names.some((name) => existsSync(join(folder, name)) || existsSync(join(folder, `${name}.exe`))),
    );

const ffmpeg: SystemProgram = {
  debian: ['ffmpeg'],
  present: (env) =>
    Boolean(env.FFMPEG_PATH && env.FFPROBE_PATH) || (isOnPath(env, ['ffmpeg']) && isOnPath(env, ['ffprobe'])),
  without: 'ffmpeg (without it, the bundled one converts videos, several times slower)',
  elsewhere: 'brew install ffmpeg; winget install Gyan.FFmpeg; apt-get install ffmpeg',
};

const bubblewrap: SystemProgram = {
  debian: ['bubblewrap'],
  // Only Linux has it.
  present: (env) => process.platform !== 'linux' || env.FFMPEG_SANDBOX === 'off' || isOnPath(env, ['bwrap']),
  without: 'bubblewrap (without it, ffmpeg may run without a sandbox)',
  elsewhere: 'apt-get install bubblewrap; dnf install bubblewrap',
};

const chromium: SystemProgram = {
  debian: ['chromium'],
  present: (env) =>
    Boolean(env.CHROMIUM_PATH) ||
    isOnPath(env, ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  without: "Chromium (without it, browser tests can't run)",
  elsewhere: 'npx playwright install chromium; apt-get install chromium',
};

const headlessShell: SystemProgram = {
  debian: ['chromium-headless-shell'],
  present: (env) => Boolean(env.CHROMIUM_PATH) || isOnPath(env, ['chromium-headless-shell']),
  without: 'chromium-headless-shell (without it, browser tests take half as long again)',
  elsewhere: 'apt-get install chromium-headless-shell, on Debian',
};

/** The programs that `up` and the tests use. */
export const PROGRAMS = {
  up: [ffmpeg, bubblewrap],
  test: [ffmpeg, bubblewrap, chromium, headlessShell],
} satisfies Record<string, SystemProgram[]>;

/** How long to wait before a failed installation is retried, so that not every start waits for it. */
const RETRY_INTERVAL_MS = 24 * 3600 * 1000;
const APT_TIMEOUT_MS = 10 * 60 * 1000;

function attemptedRecently(marker: string, packages: string[]): boolean {
  const tried = statSync(marker, { throwIfNoEntry: false });
  if (!tried || Date.now() - tried.mtimeMs > RETRY_INTERVAL_MS) return false;
  return readFileSync(marker, 'utf8') === packages.join(' ');
}

/** Runs apt-get and passes its output to `onLine`. Resolves to the exit code. */
function aptGet(args: string[], onLine: (line: string) => void, stop?: AbortSignal): Promise<number> {
  const patient = [
    '-o',
    'DPkg::Lock::Timeout=60',
    '-o',
    'Acquire::Retries=1',
    '-o',
    'Acquire::http::Timeout=20',
  ];
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-q', '-y', ...patient, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: APT_TIMEOUT_MS,
    });
    const end = () => child.kill('SIGTERM');
    stop?.addEventListener('abort', end, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      const lines = lineSplitter(onLine);
      stream.setEncoding('utf8').on('data', lines.push).on('end', lines.flush);
    }
    child.once('error', () => resolve(1));
    child.once('close', (code) => {
      stop?.removeEventListener('abort', end);
      resolve(code ?? 1);
    });
  });
}

/** Returns a paragraph about the missing programs, or '' if there are none. */
export function missingNotice(missing: SystemProgram[]): string {
  if (missing.length === 0) return '';
  const what = missing.map((program) => `    - ${program.without}\n      ${program.elsewhere}`).join('\n');
  return `Not installed on this machine (optional):\n${what}`;
}

type Options = { programs: SystemProgram[]; log: (line: string) => void; stop?: AbortSignal };

/**
 * Installs missing system programs with apt-get, as root on Debian and Ubuntu, unless DAYLIGHT_NO_APT=1. Never throws,
 * because everything has a fallback.
 * @returns the programs that are still missing
 */
export async function installPrograms({ programs, log, stop }: Options): Promise<SystemProgram[]> {
  const missing = (): SystemProgram[] => programs.filter((program) => !program.present(process.env));
  const packages = missing().flatMap((program) => program.debian);
  const canInstall =
    process.getuid?.() === 0 && isOnPath(process.env, ['apt-get']) && process.env.DAYLIGHT_NO_APT !== '1';
  if (packages.length === 0 || !canInstall) return missing();
  const folder = join(projectRoot, 'node_modules', '.cache');
  const marker = join(folder, 'daylight-apt');
  try {
    if (attemptedRecently(marker, packages)) return missing();
    log(`installing ${packages.join(' ')} with apt-get`);
    await aptGet(['update'], log, stop);
    // A package that the distribution doesn't have must not prevent the others.
    const together = await aptGet(['install', '--no-install-recommends', ...packages], log, stop);
    if (together !== 0 && packages.length > 1) {
      for (const name of packages) await aptGet(['install', '--no-install-recommends', name], log, stop);
    }
    mkdirSync(folder, { recursive: true });
    if (missing().length > 0)
      writeFileSync(
        marker,
        missing()
          .flatMap((program) => program.debian)
          .join(' '),
      );
  } catch (error) {
    log(`packages: ${error instanceof Error ? error.message : error}`);
  }
  return missing();
}
