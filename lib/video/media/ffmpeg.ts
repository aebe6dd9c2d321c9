import { type ChildProcess, spawn } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { activeTelemetry } from '@/lib/foundation/telemetry/active';
import { TONE_MAP_FILE } from './color';
import { MediaError } from './errors';
import type { FfmpegResult, FfmpegRun } from './ffmpeg-run';
import { inputLimits, outputLimits, underKernelLimits } from './limits';
import { type FfmpegTool, findWasmCore, wasmRunner } from './locate-ffmpeg';
import { toneMapTable } from './tone-map';

const MAX_STDOUT = 4_000_000;
const MAX_STDERR = 16_000;

/**
 * Runs ffmpeg or ffprobe; nothing else starts them. Uploaded files are hostile, so every call runs in the tool's
 * sandbox, with the whitelists and limits of `limits.ts`, an almost empty environment, low priority, no stdin, and
 * its own process group, which is killed on timeout and abort. Rejects with the signal's reason on abort, and with a
 * MediaError `no_ffmpeg` if the program can't be started. Resolves whatever the exit code is.
 */
export async function runFfmpeg(tool: FfmpegTool, run: FfmpegRun): Promise<FfmpegResult> {
  const telemetry = activeTelemetry();
  if (!telemetry) return start(tool, run);
  const program = { 'process.executable.name': run.kind };
  const bytesIn = await sizeOf(run.input.path);
  const started = performance.now();
  let outcome = 'failed';
  try {
    // What it's for is the span's parent, the step of a job.
    return await telemetry.traced(
      run.kind,
      async () => {
        const result = await start(tool, run);
        if (result.timedOut) outcome = 'timed_out';
        else if (result.code === 0) outcome = 'done';
        return { ...result, bytesOut: run.output && (await sizeOf(run.output.path)) };
      },
      {
        attributes: { ...program, 'daylight.bytes.in': bytesIn },
        describe: ({ code, timedOut, bytesOut }) => ({
          'process.exit.code': code ?? undefined,
          'daylight.timed_out': timedOut,
          'daylight.bytes.out': bytesOut,
        }),
      },
    );
  } finally {
    const seconds = (performance.now() - started) / 1000;
    telemetry.record('daylight.ffmpeg.duration', seconds, { ...program, 'daylight.outcome': outcome });
  }
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** Runs ffmpeg or ffprobe as {@link runFfmpeg} does. @throws MediaError also for how it ended */
export async function runSuccessfully(tool: FfmpegTool, run: FfmpegRun): Promise<FfmpegResult> {
  const result = await runFfmpeg(tool, run);
  const failure = failureOf(result);
  if (failure) throw failure;
  return result;
}

async function start(tool: FfmpegTool, run: FfmpegRun): Promise<FfmpegResult> {
  run.signal?.throwIfAborted();
  const { cwd = dirname(run.output?.path ?? run.input.path) } = run;
  const table = join(cwd, TONE_MAP_FILE);
  if (run.toneMap) await writeFile(/*turbopackIgnore: true*/ table, toneMapTable(run.toneMap));
  const { command, stdin, kind, readable } = commandOf(tool, run, run.toneMap ? table : null);
  const inside = await tool.sandbox.enter(command, { folder: cwd, readable });
  run.signal?.throwIfAborted();
  const [program = '', ...args] = underKernelLimits(inside, {
    kind,
    inputSeconds: run.input.seconds ?? 0,
    maxSeconds: run.maxSeconds,
    maxOutputBytes: run.maxOutputBytes ?? 0,
  });
  const child = spawn(/*turbopackIgnore: true*/ program, args, {
    cwd,
    env: { LC_ALL: 'C', HOME: cwd, TMPDIR: cwd } as unknown as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  lowerPriority(child);
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);

  let timedOut = false;
  const stop = () => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, run.maxSeconds * 1000);
  run.signal?.addEventListener('abort', stop);
  try {
    const [ended, stdout, stderr] = await Promise.all([
      ending(child),
      readStdout(child, run),
      readStderr(child, run),
    ]);
    run.signal?.throwIfAborted();
    const isOutOfCpuTime = ended.signal === 'SIGXCPU' || ended.code === 128 + constants.signals.SIGXCPU;
    return { code: timedOut ? null : ended.code, stdout, stderr, timedOut: timedOut || isOutOfCpuTime };
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener('abort', stop);
  }
}

/** Returns the error for how a run ended, or null if it succeeded. */
export function failureOf(result: FfmpegResult): MediaError | null {
  if (result.timedOut) return new MediaError('timed_out', result.stderr);
  if (result.code === 0) return null;
  // The shell's exit codes, which setpriv and prlimit use too: not executable, and not found. bwrap reports these in
  // words.
  const isMissing = result.code === 126 || result.code === 127 || /^bwrap: execvp/m.test(result.stderr);
  if (isMissing) return new MediaError('no_ffmpeg', result.stderr);
  const meanings = [
    ['disk_full', /no space left on device|disk quota exceeded/i],
    [
      'too_large',
      /cannot allocate memory|out of memory|picture size \S+ (?:is invalid|exceeds)|file too large/i,
    ],
    ['no_ffmpeg', /unknown encoder|unrecognized option|error while loading shared libraries/i],
    [
      'unreadable',
      /not on whitelist|invalid data found|moov atom not found|end of file|could not find codec/i,
    ],
    ['no_video', /matches no streams|does not contain any stream/i],
  ] as const;
  const kind = meanings.find(([, pattern]) => pattern.test(result.stderr))?.[0] ?? 'failed';
  return new MediaError(kind, result.stderr);
}

function commandOf(
  tool: FfmpegTool,
  run: FfmpegRun,
  table: string | null,
): { command: string[]; stdin: string; kind: FfmpegTool['kind']; readable: string[] } {
  const binary = run.kind === 'ffmpeg' ? tool.ffmpeg : tool.ffprobe;
  if (tool.kind === 'native' && binary) {
    const command = [binary, ...argumentsOf(run, run.input.path, run.output?.path)];
    return { command, stdin: '', kind: 'native', readable: [run.input.path] };
  }
  const core = findWasmCore();
  if (!core) throw new MediaError('no_ffmpeg', '@ffmpeg/core is not installed');
  const job = {
    core,
    kind: run.kind,
    args: argumentsOf(run, '/in/input', run.output && '/out/output'),
    input: run.input.path,
    output: run.output?.path ?? null,
    files: table ? [{ path: table, name: TONE_MAP_FILE }] : [],
  };
  const runner = wasmRunner();
  return {
    command: [process.execPath, runner],
    stdin: JSON.stringify(job),
    kind: 'wasm',
    readable: [runner, dirname(core), run.input.path],
  };
}

/** Paths are passed as `file:` URLs, so that no name can be read as an option or a protocol. */
function argumentsOf(run: FfmpegRun, input: string, output: string | undefined): string[] {
  const common = ['-hide_banner', '-loglevel', run.logLevel ?? 'error'];
  if (run.kind === 'ffprobe')
    return [...common, ...inputLimits('ffprobe', run.input), ...run.args, '-i', `file:${input}`];
  return [
    ...common,
    ...['-nostdin', '-nostats', '-y'],
    ...inputLimits('ffmpeg', run.input),
    ...(run.inputArgs ?? []),
    ...['-i', `file:${input}`],
    ...(output ? [...outputLimits(run.maxOutputBytes ?? 0), ...run.args, `file:${output}`] : run.args),
  ];
}

function ending(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new MediaError('no_ffmpeg', error.message)));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

async function readStdout(child: ChildProcess, run: FfmpegRun): Promise<string> {
  let kept = '';
  for await (const line of linesOf(child.stdout)) {
    if (run.onStdoutLine) run.onStdoutLine(line);
    else if (kept.length < MAX_STDOUT) kept += `${line}\n`;
  }
  return kept;
}

async function readStderr(child: ChildProcess, run: FfmpegRun): Promise<string> {
  let tail = '';
  for await (const line of linesOf(child.stderr)) {
    run.onStderrLine?.(line);
    tail = `${tail}${line}\n`.slice(-MAX_STDERR);
  }
  return tail;
}

function linesOf(stream: ChildProcess['stdout']): AsyncIterable<string> {
  if (!stream) throw new Error('The child has no pipe.');
  return createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
}

function lowerPriority(child: ChildProcess): void {
  // On Linux, the command starts with `nice`, because children that a sandbox starts must have low priority too.
  if (process.platform === 'linux') return;
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has already ended, or the system doesn't allow it.
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || !child.pid) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
