import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { executableName, findOnPath, isExecutable } from './executables';
import { findSandbox, type Sandbox, type SandboxSetting } from './sandbox';

/**
 * An ffmpeg that runs on this machine. `ffmpeg` is the binary, or the @ffmpeg/core script if `kind` is `wasm`.
 * `ffprobe` is the binary, or null if @ffmpeg/core has to probe. `describe` names it for the startup message.
 */
export interface FfmpegTool {
  kind: 'native' | 'wasm';
  ffmpeg: string;
  ffprobe: string | null;
  describe: string;
  sandbox: Sandbox;
}

/**
 * Resolves modules from the project, not from wherever a bundler put this file. What it finds isn't traced: next.config.ts
 * names it, for the route that runs jobs only.
 */
const requireFromProject = () => createRequire(join(/*turbopackIgnore: true*/ process.cwd(), 'package.json'));

/** Returns the path of the @ffmpeg/core script (the UMD build, since Node can't import its ESM build), or null. */
export function findWasmCore(): string | null {
  try {
    return requireFromProject().resolve('@ffmpeg/core');
  } catch {
    return null;
  }
}

/**
 * Returns the program that runs @ffmpeg/core. Read from the project, because a bundler wouldn't keep it in one piece.
 */
export function wasmRunner(): string {
  return join(/*turbopackIgnore: true*/ process.cwd(), 'lib/video/media/wasm-runner.mjs');
}

/**
 * Returns the first ffmpeg that runs, in this order: PATH, the `ffmpeg-static` package, and @ffmpeg/core (WebAssembly,
 * several times slower). It must be version 5.1 (the first with `-fps_mode`) or newer. Where a path is given, no other
 * is used: whoever names a program doesn't want to be served by another one without a word.
 * Returns null if there's none, or if there's an ffmpeg but nothing to probe with.
 * @throws NoSandboxError if a sandbox is required and this system doesn't allow one
 */
export async function locateFfmpeg(options: {
  ffmpegPath?: string;
  ffprobePath?: string;
  sandbox?: SandboxSetting;
}): Promise<FfmpegTool | null> {
  const { sandbox: setting = 'auto', ffmpegPath, ffprobePath } = options;
  if (ffprobePath && !(await isUsable(ffprobePath))) return null;
  for (const ffmpeg of ffmpegPath ? [ffmpegPath] : [findOnPath('ffmpeg'), findStaticBinary()]) {
    const version = ffmpeg ? await versionOf(ffmpeg) : null;
    if (!ffmpeg || !version) continue;
    const ffprobe = ffprobePath ?? (await locateFfprobe(ffmpeg));
    if (!ffprobe && !findWasmCore()) continue;
    const probing = ffprobe ? '' : ', probing with @ffmpeg/core';
    const describe = `ffmpeg ${version} (native, ${ffmpeg})${probing}`;
    const commands = [[ffmpeg, '-version'], ffprobe ? [ffprobe, '-version'] : wasmCheck()];
    return { kind: 'native', ffmpeg, ffprobe, describe, sandbox: await findSandbox(setting, commands) };
  }
  return ffmpegPath ? null : locateWasm(setting);
}

/** Returns whether a path is an ffmpeg or ffprobe that runs and is new enough. */
export const isUsable = async (path: string): Promise<boolean> => (await versionOf(path)) !== null;

/** Returns @ffmpeg/core as a tool, or null if npm didn't install it. Throws like {@link locateFfmpeg}. */
export async function locateWasm(setting: SandboxSetting): Promise<FfmpegTool | null> {
  const core = findWasmCore();
  if (!core) return null;
  return {
    kind: 'wasm',
    ffmpeg: core,
    ffprobe: null,
    describe: 'ffmpeg as WebAssembly (@ffmpeg/core, about five times slower)',
    sandbox: await findSandbox(setting, [wasmCheck()]),
  };
}

/** Returns a command that succeeds if Node runs and can read the runner. */
function wasmCheck(): string[] {
  return [process.execPath, '--check', wasmRunner()];
}

async function locateFfprobe(ffmpeg: string): Promise<string | null> {
  const sibling = join(dirname(ffmpeg), executableName('ffprobe'));
  for (const candidate of [sibling, findOnPath('ffprobe')]) {
    if (candidate && (await isUsable(candidate))) return candidate;
  }
  return null;
}

/** Returns the `ffmpeg-static` binary, or null if its download failed: the package exports a path even then. */
function findStaticBinary(): string | null {
  try {
    const path: unknown = requireFromProject()('ffmpeg-static');
    return typeof path === 'string' && isExecutable(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * Returns the version that a binary reports, or null if it doesn't run or is too old. Builds from git have no number.
 */
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
