import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../process';
import { type BuiltFunction, unpackFunction } from './output';

/** What a function on the platform gets: 512 MB of /tmp, 2 GB of memory, and one core. */
const TMP_BYTES = 512 * 1024 ** 2;
const MEMORY_BYTES = 2 * 1024 ** 3;
const CORE = '0';

/** What the platform's machine has, as far as Node and ffmpeg need it. */
const SYSTEM = [
  '/usr',
  '/lib',
  '/lib64',
  '/bin',
  '/etc/ssl',
  '/etc/hosts',
  '/etc/resolv.conf',
  '/etc/passwd',
  // Where Debian's libraries for ffmpeg lead to.
  '/etc/alternatives',
];
const PROGRAM = fileURLToPath(new URL('function-process.cjs', import.meta.url));
/** Where the platform puts the function. */
const TASK = '/var/task';

interface InvokeOptions {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface Instance {
  invoke(options: InvokeOptions): Promise<IncomingMessage>;
  /** The most memory it has had, in bytes. */
  peakMemory(): number;
  stop(): void;
}

interface StartOptions {
  bwrap: string;
  /** An empty folder. */
  dir: string;
  env: NodeJS.ProcessEnv;
  onOutput(text: string): void;
}

/** Returns the sandbox's command: a read-only system, the function, its own /tmp, and the machine's network. */
function sandboxCommand(fn: BuiltFunction, { bwrap, dir }: StartOptions): string[] {
  const node = realpathSync(process.execPath);
  const readable = [...SYSTEM, dirname(node), dirname(PROGRAM)].filter((path) => existsSync(path));
  return [
    ...[findProgram('prlimit') ?? 'prlimit', `--data=${MEMORY_BYTES}`],
    ...[findProgram('taskset') ?? 'taskset', '-c', CORE, bwrap],
    // With processes of its own, so that none outlives it.
    ...['--die-with-parent', '--unshare-pid', '--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', join(dir, 'task'), TASK, '--bind', join(dir, 'run'), '/run', '--chdir', TASK],
    ...[node, PROGRAM, TASK, fn.handler, fn.usesWebApi ? '1' : '0', '/run/socket'],
  ];
}

/** Sends a signal to an instance's processes, which are one group. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Starts an instance. It's frozen whenever it has no request and no background work. */
export async function startInstance(fn: BuiltFunction, options: StartOptions): Promise<Instance> {
  const { dir, env, onOutput } = options;
  for (const name of ['task', 'run']) mkdirSync(join(dir, name), { recursive: true });
  unpackFunction(fn, join(dir, 'task'));
  const [command = '', ...args] = sandboxCommand(fn, options);
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The function ${fn.name} ended.`);
  });
  ended.catch(() => undefined);
  child.stdout?.setEncoding('utf8').on('data', onOutput);
  child.stderr?.setEncoding('utf8').on('data', onOutput);
  let sent = 0;
  let ready: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    ready = resolve;
  });
  createInterface({ input: child.stdio[3] as NodeJS.ReadableStream }).on('line', (line) => {
    ready();
    if (Number(line) === sent) signalGroup(child, 'SIGSTOP');
  });
  await Promise.race([started, ended]);
  const invoke = ({ method, url, headers, body }: InvokeOptions) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      sent += 1;
      signalGroup(child, 'SIGCONT');
      const call = sendRequest({
        socketPath: join(dir, 'run/socket'),
        method,
        path: url,
        headers,
        agent: false,
      });
      call.once('response', resolve).once('error', reject);
      call.end(body);
    });
  return {
    invoke: (call) => Promise.race([invoke(call), ended]),
    peakMemory: () => peakMemory(child),
    stop: () => signalGroup(child, 'SIGKILL'),
  };
}

/** Returns a process and all that it has started, as far as they still run. */
function processTree(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean);
    return [pid, ...children.flatMap((child) => processTree(Number(child)))];
  } catch {
    return [];
  }
}

/** Returns the most memory that a process in a sandbox has had, in bytes; 0 if it's gone. */
function peakMemory({ pid = 0 }: ChildProcess): number {
  const peaks = processTree(pid).map((one) => {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  });
  return Math.max(0, ...peaks);
}
