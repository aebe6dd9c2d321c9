import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isSameProcess, markOf, type ProcessMark, until } from './processes';

type Holder = ProcessMark & { note: string; stopping?: boolean };

export type Lock = {
  /** Tells whoever waits that the holder is about to let go. */
  announceStop(): void;
  release(): void;
};

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/** False when the file exists already. */
function claim(path: string, holder: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A file that cannot be read is being written at this moment, or was cut off by a power loss long ago. */
function isDead(path: string): boolean {
  const holder = readHolder(path);
  if (holder) return !isSameProcess(holder);
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written > 2000;
}

/** Removes the lock of a dead process; puts it back when another start was faster and it is a live one. */
function removeDead(path: string, pid: number): void {
  const aside = `${path}.dead.${pid}`;
  try {
    renameSync(path, aside);
    const holder = readHolder(aside);
    if (holder && isSameProcess(holder)) claim(path, holder);
  } catch {
    // Somebody else removed or took it: the next try sees what is there.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes a lock file that outlives `kill -9` harmlessly: the lock of a process that is gone, or whose number now
 * belongs to another one, is taken over.
 * @returns the lock, or the live process that holds it after `patience` milliseconds of waiting. A holder that
 *   has announced its stop is waited for 15 s at least.
 */
export async function takeLock(
  path: string,
  { patience = 1500, note = '' }: { patience?: number; note?: string } = {},
): Promise<Lock | { holder: number; note: string }> {
  const self: Holder = { ...markOf(process.pid), note };
  const attempt = (): boolean => {
    if (claim(path, self)) return true;
    if (isDead(path)) removeDead(path, self.pid);
    return false;
  };
  let taken = await until(attempt, patience);
  if (!taken && readHolder(path)?.stopping) taken = await until(attempt, 15_000);
  if (!taken) {
    const holder = readHolder(path);
    return { holder: holder?.pid ?? 0, note: holder?.note ?? '' };
  }
  return {
    announceStop: () => writeFileSync(path, JSON.stringify({ ...self, stopping: true }), { mode: 0o600 }),
    release: () => {
      if (readHolder(path)?.pid === self.pid) rmSync(path, { force: true });
    },
  };
}
