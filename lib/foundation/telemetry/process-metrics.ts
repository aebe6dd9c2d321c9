import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Telemetry } from './active';

/** Kernel ticks a second, which is 100 on every Linux that Node supports. */
const TICKS = 100;

/** Returns the processor seconds of child processes that have ended; nothing where there's no /proc. */
async function childCpuSeconds(): Promise<[number][]> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  if (stat === null) return [];
  // The second field may have spaces in it. After it, cutime and cstime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [[(Number(fields[13]) + Number(fields[14])) / TICKS]];
}

/** Reports what the process itself needs: time, memory, and disk. */
export function observeProcess({ observe }: Pick<Telemetry, 'observe'>): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  observe('nodejs.eventloop.delay.p99', async () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return [[seconds]];
  });
  observe('process.memory.usage', async () => [[process.memoryUsage.rss()]]);
  observe('process.cpu.time', async () => {
    const { user, system } = process.cpuUsage();
    return [[(user + system) / 1e6]];
  });
  observe('daylight.children.cpu.time', childCpuSeconds);
  observe('daylight.disk.free', async () => {
    const { bavail, bsize } = await statfs(tmpdir());
    return [[bavail * bsize]];
  });
}
