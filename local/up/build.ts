import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextProgram, parentWatchModule, tsxModule } from './app-server';
import type { Environment } from './data-dir';
import { acquireLock } from './lock';
import { sendSignal } from './processes';
import { userError } from './user-error';

/** The folders that a build reads, except the tests in them. */
const SOURCES = ['app', 'components', 'db', 'inngest', 'lib', 'scripts'];
const isSource = (name: string): boolean => !/\.(test|spec)\.tsx?$/.test(name);
const isRootSource = (name: string): boolean =>
  /\.(ts|mts|cts|js|mjs|cjs|json)$/.test(name) &&
  !/^next-env\.d\.ts$|^vitest\.|^playwright\.|^biome\.json$/.test(name);

/** Returns a hash of everything the build depends on: sources, lockfile, settings, Node's major version. */
export function sourceHash(root: string, env: Environment): string {
  const hash = createHash('sha256').update(process.version.split('.')[0] ?? '');
  // Next inlines these values into the scripts it builds, and may write a second output.
  for (const name of Object.keys(env).sort()) {
    if (name.startsWith('NEXT_PUBLIC_') || name === 'BUILD_STANDALONE') hash.update(`${name}=${env[name]}\0`);
  }
  const addFile = (path: string) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  const entries = readdirSync(root, { withFileTypes: true });
  for (const entry of entries.filter((it) => it.isFile() && isRootSource(it.name)).sort(byName))
    addFile(entry.name);
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort(byName)) {
      if (entry.isDirectory()) walk(`${folder}/${entry.name}`);
      else if (entry.isFile() && isSource(entry.name)) addFile(`${folder}/${entry.name}`);
    }
  };
  for (const folder of SOURCES) if (existsSync(join(root, folder))) walk(folder);
  return hash.digest('hex');
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/**
 * Runs a Node program that ends with this process, and with all it has started when `stop` is aborted.
 * @returns its exit code, and what it wrote to stdout and stderr
 */
export function runNode(
  args: string[],
  { root, env, stop }: Pick<Build, 'root' | 'env' | 'stop'>,
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['--import', parentWatchModule, ...args], {
    cwd: root,
    env: { ...env, DAYLIGHT_GROUP_LEADER: '1' },
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const end = () =>
    sendSignal(process.platform === 'win32' ? (child.pid ?? 0) : -(child.pid ?? 0), 'SIGKILL');
  stop.addEventListener('abort', end, { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      stop.removeEventListener('abort', end);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Builds the site, and the programs that run beside it, as `npm run build` does. */
async function runBuild(build: Build): Promise<{ code: number; output: string }> {
  const script = (name: string) => ['--import', tsxModule, join(build.root, 'scripts', name)];
  const result = { code: 0, output: '' };
  for (const step of [
    script('build-speech.ts'),
    script('build-viewer.ts'),
    script('build-service-worker.ts'),
    [nextProgram, 'build'],
    script('keep-files.ts'),
    script('build-programs.ts'),
  ]) {
    if (result.code !== 0) break;
    const { code, output } = await runNode(step, build);
    result.code = code;
    result.output += output;
  }
  return result;
}

/** The folders outside `.next` that a build writes. */
const OUTPUTS = ['build', 'public/speech'];

/** Returns the paths of what a build has written outside `.next`. */
const outputsIn = (root: string): string[] =>
  OUTPUTS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path))),
  );

type Build = { root: string; env: NodeJS.ProcessEnv; log: (text: string) => void; stop: AbortSignal };

/**
 * Builds the site unless the last build had the same sources and all of its files are still there. Copies that start from
 * one checkout at the same time share the build: the second one waits for the first.
 * @returns whether it built
 */
export async function buildOnce(build: Build): Promise<boolean> {
  const { root, env, log, stop } = build;
  const stamp = join(root, '.next', 'daylight-build');
  const current = sourceHash(root, env);
  const isCurrent = () => {
    if (!existsSync(stamp)) return false;
    const [built, ...outputs] = readFileSync(stamp, 'utf8').split('\n');
    const needed = [join('.next', 'BUILD_ID'), ...outputs];
    return built === current && needed.every((path) => existsSync(join(root, path)));
  };
  if (isCurrent()) return false;
  const lockFolder = join(root, 'node_modules', '.cache');
  mkdirSync(lockFolder, { recursive: true });
  const lock = await acquireLock(join(lockFolder, 'daylight-build.lock'), { timeoutMs: 300_000 });
  if ('holder' in lock) {
    throw userError(
      `Another start (process ${lock.holder}) has been building this checkout for five minutes. Wait for it, or stop it.`,
    );
  }
  try {
    if (isCurrent()) return false;
    // An interrupted build must not count as the one before it.
    rmSync(stamp, { force: true });
    const { code, output } = await runBuild(build);
    log(output);
    stop.throwIfAborted();
    if (/ENOSPC|No space left on device/.test(output) && code !== 0) throw new Error('ENOSPC: next build');
    if (code !== 0) {
      throw userError(`Couldn't build the site:\n${output.trim().split('\n').slice(-25).join('\n')}`);
    }
    writeFileSync(stamp, [current, ...outputsIn(root)].join('\n'));
    return true;
  } finally {
    lock.release();
  }
}
