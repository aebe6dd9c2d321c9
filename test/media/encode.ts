import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

let folder: string | undefined;

/**
 * A folder for this process's clips, removed when it exits. A test runner may kill its workers before they can do so:
 * what the dead have left is removed by the next.
 */
export function clipFolder(): string {
  if (folder) return folder;
  for (const name of readdirSync(tmpdir())) {
    const owner = /^daylight-clips-(\d+)-/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  const created = mkdtempSync(join(tmpdir(), `daylight-clips-${process.pid}-`));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  folder = created;
  return created;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const cache = new Map<string, Promise<string>>();

/** The path of a clip that is made once per process. `make` writes the file it is given. */
export function cached(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(clipFolder(), name);
  const known = cache.get(name) ?? make(path).then(() => path);
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
