import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { executableName, isExecutable } from '@/lib/video/media/executables';
import { freePort } from '@/local/up/ports';

/** How long a server may take to answer, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
/** How long a server may take to end before it's killed, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;

/** Returns the path of a program in the folder REAL_SERVERS or on PATH, or null. */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = [env.REAL_SERVERS ?? '', ...(env.PATH ?? '').split(delimiter)].filter(Boolean);
  return folders.map((folder) => join(folder, executableName(name))).find(isExecutable) ?? null;
}

export interface ServerProcess {
  stop(): Promise<void>;
  /** Ends it with SIGKILL, without any notice, and waits until it's gone. */
  kill(): Promise<void>;
}

/**
 * Starts a server and waits until `isReady` returns true. Its output goes to `log`.
 * @throws Error with the end of its output if it exits or takes too long
 */
export async function startProcess(options: {
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd: string;
  log: string;
  isReady(): Promise<boolean>;
}): Promise<ServerProcess> {
  const { command, args, env = {}, cwd, log, isReady } = options;
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd,
    // Not this process's own: a developer's settings of a server would change what's tested.
    env: { NODE_ENV: 'production', PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let problem: Error | undefined;
  child.once('error', (error) => {
    problem = error;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady().catch(() => false))) {
    const why = describeEnd(child, problem) ?? (Date.now() > deadline ? 'took too long to start' : null);
    if (why) {
      await stopProcess(child);
      throw new Error(`${command} ${why}:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    stop: () => stopProcess(child),
    kill: () => stopProcess(child, 'SIGKILL'),
  };
}

function describeEnd(child: ChildProcess, problem: Error | undefined): string | null {
  if (problem) return `couldn't start (${problem.message})`;
  if (hasEnded(child)) return `ended with ${child.exitCode ?? child.signalCode}`;
  return null;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Returns whether an address answers with 200. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  return response.ok;
}

/** Returns whether an address answers, be it with a refusal. */
export async function answersAtAll(url: string): Promise<boolean> {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(2000) });
  return status < 500;
}

const givenPorts: number[] = [];
/** Not those that `freePort` returns to everything else: a server's port mustn't be taken while a test has it stopped. */
const SERVER_PORTS = { first: 10_000, last: 19_999 };

/** Returns free ports of 127.0.0.1 for servers with these names, none of which it has returned before. */
export async function freePorts<Name extends string>(...names: Name[]): Promise<Record<Name, number>> {
  const ports: number[] = [];
  for (const _ of names) {
    const port = await freePort(givenPorts, SERVER_PORTS);
    givenPorts.push(port);
    ports.push(port);
  }
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Name, number>;
}
