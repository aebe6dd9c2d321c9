import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * An ffmpeg that runs on this machine. `ffmpeg` is the binary, or the script of @ffmpeg/core when `kind` is `wasm`.
 * `ffprobe` is the binary, or null where @ffmpeg/core has to probe. `describe` names it for the start-up message.
 */
export interface FfmpegTool {
  kind: 'native' | 'wasm';
  ffmpeg: string;
  ffprobe: string | null;
  describe: string;
}

const onWindows = process.platform === 'win32';

/** Modules are resolved from the project, not from wherever a bundler has put this file. */
const requireFromProject = createRequire(join(process.cwd(), 'package.json'));

/** The absolute path of a program on PATH, or null. */
export function findOnPath(program: string): string | null {
  // biome-ignore lint/style/noProcessEnv: PATH belongs to the system; it is no setting of Daylight's.
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, executableName(program))).find(isExecutable) ?? null;
}

/** The script of @ffmpeg/core (the UMD build: its ESM build cannot be imported by Node), or null. */
export function findWasmCore(): string | null {
  try {
    return requireFromProject.resolve('@ffmpeg/core');
  } catch {
    return null;
  }
}

/**
 * The first ffmpeg that runs, in this order: the given path, PATH, the package `ffmpeg-static`, and @ffmpeg/core
 * (WebAssembly, several times slower). At least version 5.1 is wanted, the first with `-fps_mode`. Null when there
 * is none, or when there is an ffmpeg but nothing to probe with.
 */
export async function locateFfmpeg(options: {
  ffmpegPath?: string;
  ffprobePath?: string;
}): Promise<FfmpegTool | null> {
  const core = findWasmCore();
  for (const ffmpeg of [options.ffmpegPath, findOnPath('ffmpeg'), findStaticBinary()]) {
    const version = ffmpeg ? await versionOf(ffmpeg) : null;
    if (!ffmpeg || !version) continue;
    const ffprobe = await locateFfprobe(ffmpeg, options.ffprobePath);
    if (!ffprobe && !core) continue;
    const probing = ffprobe ? '' : ', probing with @ffmpeg/core';
    return { kind: 'native', ffmpeg, ffprobe, describe: `ffmpeg ${version} (${ffmpeg})${probing}` };
  }
  if (!core) return null;
  return {
    kind: 'wasm',
    ffmpeg: core,
    ffprobe: null,
    describe: 'ffmpeg as WebAssembly (@ffmpeg/core, slow)',
  };
}

async function locateFfprobe(ffmpeg: string, given: string | undefined): Promise<string | null> {
  const sibling = join(dirname(ffmpeg), executableName('ffprobe'));
  for (const candidate of [given, sibling, findOnPath('ffprobe')]) {
    if (candidate && (await versionOf(candidate))) return candidate;
  }
  return null;
}

/** `ffmpeg-static` downloads its binary when it is installed, and exports a path even where that has failed. */
function findStaticBinary(): string | null {
  try {
    const path: unknown = requireFromProject('ffmpeg-static');
    return typeof path === 'string' && isExecutable(path) ? path : null;
  } catch {
    return null;
  }
}

/** The version a binary reports, or null when it does not run or is too old. Builds from git have no number. */
async function versionOf(binary: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['-version'], {
      timeout: 10_000,
      env: {} as NodeJS.ProcessEnv,
    });
    const version = /^ff(?:mpeg|probe) version (\S+)/.exec(stdout)?.[1];
    if (!version) return null;
    const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
    return major && Number(major) * 100 + Number(minor) < 501 ? null : version;
  } catch {
    return null;
  }
}

function executableName(program: string): string {
  return onWindows ? `${program}.exe` : program;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
