import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { MediaError } from './errors';
import { inputLimits, outputLimits, underKernelLimits } from './limits';
import { type FfmpegTool, findWasmCore, wasmRunner } from './locate-ffmpeg';

export interface FfmpegRun {
  kind: 'ffmpeg' | 'ffprobe';
  input: { path: string };
  /** Options of the input, such as `-ss`. */
  inputArgs?: string[];
  /** Options after the input. Without `output` they name a sink of their own, such as `-f null -`. */
  args: string[];
  output?: { path: string };
  /** Wall clock. */
  maxSeconds: number;
  /** ffmpeg stops quietly, with exit code 0, when its output reaches this: compare durations afterwards. */
  maxOutputBytes?: number;
  /** A private directory (0700), where the output goes. A sandbox makes its own user the owner. */
  cwd: string;
  /** `info` for filters that report through the log; by default only errors are written. */
  logLevel?: 'error' | 'info';
  signal?: AbortSignal;
  /** Seconds of the output written so far. */
  onProgress?: (seconds: number) => void;
  /** Takes the lines of stdout in place of `stdout`, which stays empty: for output that grows with the file. */
  onStdoutLine?: (line: string) => void;
  onStderrLine?: (line: string) => void;
}

export interface FfmpegResult {
  /** The exit code; null when it was killed. */
  code: number | null;
  /** At most the first 4 MB. */
  stdout: string;
  /** The last 16 kB. */
  stderr: string;
  timedOut: boolean;
}

const MAX_STDOUT = 4_000_000;
const MAX_STDERR = 16_000;

/**
 * The one place that starts ffmpeg and ffprobe. Uploaded files are hostile, so every call runs in the tool's sandbox
 * and has the whitelists and limits of `limits.ts`, an almost empty environment, low priority, no stdin, and a process
 * group of its own that is killed on time-out and abort. Rejects with the signal's reason on abort and with a
 * MediaError `no_ffmpeg` when the program cannot be started; any exit of the program, also a failing one, resolves.
 */
export async function runFfmpeg(tool: FfmpegTool, run: FfmpegRun): Promise<FfmpegResult> {
  run.signal?.throwIfAborted();
  const { command, stdin, kind, readable } = commandOf(tool, run);
  const inside = await tool.sandbox.enter(command, { folder: run.cwd, readable });
  run.signal?.throwIfAborted();
  const [program = '', ...args] = underKernelLimits(inside, {
    kind,
    maxSeconds: run.maxSeconds,
    maxOutputBytes: run.maxOutputBytes ?? 0,
  });
  const child = spawn(/*turbopackIgnore: true*/ program, args, {
    cwd: run.cwd,
    env: { LC_ALL: 'C', HOME: run.cwd, TMPDIR: run.cwd } as unknown as NodeJS.ProcessEnv,
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

/** The error that a run's end means, or null when it went well. */
export function failureOf(result: FfmpegResult): MediaError | null {
  if (result.timedOut) return new MediaError('timed_out', result.stderr);
  if (result.code === 0) return null;
  // The shell's codes, which setpriv and prlimit use too: found but not to be run, and not found. bwrap says so in words.
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
  };
  const runner = wasmRunner();
  return {
    command: [process.execPath, runner],
    stdin: JSON.stringify(job),
    kind: 'wasm',
    readable: [runner, dirname(core), run.input.path],
  };
}

/** Paths are given as `file:` addresses, so that no name can be taken for an option or a protocol. */
function argumentsOf(run: FfmpegRun, input: string, output: string | undefined): string[] {
  const common = ['-hide_banner', '-loglevel', run.logLevel ?? 'error'];
  if (run.kind === 'ffprobe')
    return [...common, ...inputLimits('ffprobe'), ...run.args, '-i', `file:${input}`];
  return [
    ...common,
    ...['-nostdin', '-nostats', '-y'],
    ...(run.onProgress ? ['-progress', 'pipe:1'] : []),
    ...inputLimits('ffmpeg'),
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
    const progress = run.onProgress && /^out_time_us=(\d+)$/.exec(line)?.[1];
    if (progress) run.onProgress?.(Number(progress) / 1e6);
    else if (run.onStdoutLine) run.onStdoutLine(line);
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
  // There the command starts with `nice`: children that a sandbox starts must have it too.
  if (process.platform === 'linux') return;
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || !child.pid) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
