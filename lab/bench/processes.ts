import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** CPU time of another process and the memory of one are read from /proc, which only Linux has. */
export const canReadProcesses = process.platform === 'linux';

/** USER_HZ, in which /proc counts time; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/PID/stat by their numbers in proc(5). The command's name may hold anything, also parentheses. */
function statFields(pid: number | 'self'): (field: number) => number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (field) => Number(fields[field - 3]);
}

/** The CPU seconds (user and system) that a process has used so far, with all its threads. */
export function cpuSecondsOf(pid: number): number {
  const field = statFields(pid);
  return (field(14) + field(15)) / TICKS_PER_SECOND;
}

/** The CPU seconds of this process. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The CPU seconds of the children of a process, of this one by default, that have ended, and of theirs. */
export function endedChildrenCpuSeconds(pid: number | 'self' = 'self'): number {
  const field = statFields(pid);
  return (field(16) + field(17)) / TICKS_PER_SECOND;
}

/** Returns the CPU seconds of what this process and its children do meanwhile. */
export async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const now = () => ownCpuSeconds() + endedChildrenCpuSeconds();
  const before = now();
  await work();
  return now() - before;
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** The memory that a process holds now (its resident set), in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Runs `work` and watches the memory of some processes: the most that each has held, in bytes, in their order. */
export async function peakMemory(pids: number[], work: () => Promise<unknown>): Promise<number[]> {
  const peaks = pids.map(residentBytes);
  let over = false;
  const watch = async () => {
    while (!over) {
      for (const [index, pid] of pids.entries())
        peaks[index] = Math.max(peaks[index] ?? 0, residentBytes(pid));
      await delay(20);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    over = true;
    await watching;
  }
  return peaks;
}
