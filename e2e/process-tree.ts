import { readdirSync, readFileSync } from 'node:fs';
import { sendSignal, waitUntil } from '@/local/up/processes';

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Returns whether a process was started by another one, or by one that it started. Linux only. */
export function isBelow(pid: number, ancestor: number): boolean {
  for (let above = parentOf(pid); above > 0; above = parentOf(above)) if (above === ancestor) return true;
  return false;
}

/**
 * Kills a process, all that it has started and whatever runs on its data (Postgres leaves its parent), with
 * SIGKILL and nothing said before; resolves when none of them is left. Linux only.
 */
export async function killTree(root: number, dataDir: string): Promise<void> {
  const family = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    const found = new Set([root, ...all.filter((pid) => read(pid, 'cmdline').includes(dataDir))]);
    for (let before = 0; before !== found.size; ) {
      before = found.size;
      for (const pid of all) if (found.has(parentOf(pid))) found.add(pid);
    }
    found.delete(process.pid);
    return [...found];
  };
  const killed = family();
  for (const pid of killed) sendSignal(pid, 'SIGKILL');
  const gone = await waitUntil(
    () => killed.every((pid) => !read(pid, 'cmdline')) && family().every((pid) => !read(pid, 'cmdline')),
    20_000,
  );
  if (!gone) throw new Error('Some processes survived SIGKILL.');
}
