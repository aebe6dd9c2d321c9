import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Names the folder in which all processes of a run share their clips. */
const SHARED_FOLDER = 'DAYLIGHT_TEST_CLIPS';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes a folder that's removed when this process exits. Removes what killed processes couldn't. */
function makeClipFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const owner = /^daylight-clips-(\d+)-/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const created = mkdtempSync(join(tmpdir(), `daylight-clips-${process.pid}-`));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  return created;
}

/**
 * Makes the folder for the clips of a run, unless the process that started this one has made it. Call it before any
 * worker starts.
 */
export function shareClips(): void {
  process.env[SHARED_FOLDER] ||= makeClipFolder();
}

let own: string | undefined;

/** Returns a folder of this process's own. */
export function clipFolder(): string {
  const shared = process.env[SHARED_FOLDER];
  own ??= shared ? mkdtempSync(join(shared, `${process.pid}-`)) : makeClipFolder();
  return own;
}

const cache = new Map<string, Promise<string>>();

/**
 * Returns the path of a clip that the processes of a run encode once. `make` writes the file it's given, which gets
 * its name only when it's complete. Two processes that start at once may both encode it, and either file will do.
 */
export function cached(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(process.env[SHARED_FOLDER] ?? clipFolder(), name);
  const makeOnce = async () => {
    if (existsSync(path)) return path;
    const unfinished = join(clipFolder(), name);
    await make(unfinished);
    renameSync(unfinished, path);
    return path;
  };
  const known = cache.get(name) ?? makeOnce();
  cache.set(name, known);
  return known;
}

/** Runs the machine's own ffmpeg, without the guard: what it reads here is ours. */
export async function encode(args: string[], output: string): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args, output]);
}

/** As `encode`, through a pipe: the muxer cannot go back and write a duration or an index, like a live recorder. */
export async function encodeLive(args: string[], format: string): Promise<Buffer> {
  const command = ['-nostdin', '-loglevel', 'error', ...args, '-f', format, 'pipe:1'];
  const { stdout } = await promisify(execFile)('ffmpeg', command, {
    maxBuffer: 64_000_000,
    encoding: 'buffer',
  });
  return stdout;
}
