import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Identifies a process even if its id is reused later: `mark` is its start time. */
export type ProcessIdentity = { pid: number; mark: string };

const commandOutput = (command: string, args: string[]): string => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/**
 * Returns when a process started, as text that stays the same while it runs, or '' if it doesn't exist. On Linux, a
 * zombie counts as gone, because it has no files or ports open.
 */
export function processStartTime(pid: number): string {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command's name is in parentheses and may contain some, so fields are counted from the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return '';
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
    } catch {
      return '';
    }
  }
  if (process.platform === 'win32') {
    return commandOutput('powershell', [
      '-NoProfile',
      '-Command',
      `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`,
    ]);
  }
  return commandOutput('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

export const identifyProcess = (pid: number): ProcessIdentity => ({ pid, mark: processStartTime(pid) });

export const isSameProcess = ({ pid, mark }: ProcessIdentity): boolean =>
  mark !== '' && processStartTime(pid) === mark;

/** Sends a signal to a process, or to its group if `pid` is negative. Returns false if it doesn't exist. */
export function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Resolves to true once `condition` holds, or to false after `milliseconds`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
  interval = 50,
): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() >= deadline) return false;
    await delay(interval);
  }
}

/** Returns the command line of a process, or '' if it can't be read. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    } catch {
      return '';
    }
  }
  return process.platform === 'win32' ? '' : commandOutput('ps', ['-o', 'command=', '-p', String(pid)]);
}

function linuxListener(port: number): number | null {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readText(table).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const LISTEN = '0A';
      if (fields[3] === LISTEN && Number.parseInt(fields[1]?.split(':')[1] ?? '', 16) === port) {
        inodes.add(`socket:[${fields[9]}]`);
      }
    }
  }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      if (files.some((file) => inodes.has(readlinkSync(`/proc/${pid}/fd/${file}`)))) return Number(pid);
    } catch {
      // It's another user's process, or it just exited.
    }
  }
  return null;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the process that listens on a TCP port, or null if that can't be determined. */
export function listenerOn(port: number): number | null {
  if (process.platform === 'linux') return linuxListener(port);
  if (process.platform === 'win32') return null;
  const first = commandOutput('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN']).split('\n')[0];
  return first ? Number(first) : null;
}
