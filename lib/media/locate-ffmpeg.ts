import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { executableName, findOnPath, isExecutable } from './executables';
import { findSandbox, type Sandbox, type SandboxSetting } from './sandbox';

/**
 * An ffmpeg that runs on this machine. `ffmpeg` is the binary, or the script of @ffmpeg/core when `kind` is `wasm`.
 * `ffprobe` is the binary, or null where @ffmpeg/core has to probe. `describe` names it for the start-up message.
 */
export interface FfmpegTool {
  kind: 'native' | 'wasm';
  ffmpeg: string;
  ffprobe: string | null;
  describe: string;
  sandbox: Sandbox;
}

/** Modules are resolved from the project, not from wherever a bundler has put this file. */
const requireFromProject = createRequire(join(process.cwd(), 'package.json'));

/** The script of @ffmpeg/core (the UMD build: its ESM build cannot be imported by Node), or null. */
export function findWasmCore(): string | null {
  try {
    return requireFromProject.resolve('@ffmpeg/core');
  } catch {
    return null;
  }
}

/** Returns the program that runs @ffmpeg/core; it's read from the project, as a bundler would not keep it whole. */
export function wasmRunner(): string {
  return join(process.cwd(), 'lib/media/wasm-runner.mjs');
}

/**
 * Returns the first ffmpeg that runs, in this order: the given path, PATH, the package `ffmpeg-static`, and
 * @ffmpeg/core (WebAssembly, several times slower). It has to be version 5.1, the first with `-fps_mode`, or newer.
 * Null when there is none, or when there is an ffmpeg but nothing to probe with.
 * @throws MediaError `no_ffmpeg` when a sandbox is required and this system allows none
 */
export async function locateFfmpeg(options: {
  ffmpegPath?: string;
  ffprobePath?: string;
  sandbox?: SandboxSetting;
}): Promise<FfmpegTool | null> {
  const setting = options.sandbox ?? 'auto';
  for (const ffmpeg of [options.ffmpegPath, findOnPath('ffmpeg'), findStaticBinary()]) {
    const version = ffmpeg ? await versionOf(ffmpeg) : null;
    if (!ffmpeg || !version) continue;
    const ffprobe = await locateFfprobe(ffmpeg, options.ffprobePath);
    if (!ffprobe && !findWasmCore()) continue;
    const probing = ffprobe ? '' : ', probing with @ffmpeg/core';
    const describe = `ffmpeg ${version} (${ffmpeg})${probing}`;
    const commands = [[ffmpeg, '-version'], ffprobe ? [ffprobe, '-version'] : wasmCheck()];
    return { kind: 'native', ffmpeg, ffprobe, describe, sandbox: await findSandbox(setting, commands) };
  }
  return locateWasm(setting);
}

/** Returns @ffmpeg/core as a tool, or null where npm has left it out. Throws like {@link locateFfmpeg}. */
export async function locateWasm(setting: SandboxSetting): Promise<FfmpegTool | null> {
  const core = findWasmCore();
  if (!core) return null;
  return {
    kind: 'wasm',
    ffmpeg: core,
    ffprobe: null,
    describe: 'ffmpeg as WebAssembly (@ffmpeg/core, slow)',
    sandbox: await findSandbox(setting, [wasmCheck()]),
  };
}

/** A command that succeeds where Node runs and can read the runner. */
function wasmCheck(): string[] {
  return [process.execPath, '--check', wasmRunner()];
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
