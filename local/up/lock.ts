import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identifyProcess, isSameProcess, type ProcessIdentity, waitUntil } from './processes';

type LockHolder = ProcessIdentity & { note: string; stopping?: boolean };

export type Lock = {
  /** Tells whoever waits that the holder is about to let go. */
  announceStop(): void;
  release(): void;
};

function readHolder(path: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder;
  } catch {
    return null;
  }
}

/** False when the file exists already. */
function writeLockFile(path: string, holder: LockHolder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A file that cannot be read is being written at this moment, or was cut off by a power loss long ago. */
function isStale(path: string): boolean {
  const holder = readHolder(path);
  if (holder) return !isSameProcess(holder);
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written > 2000;
}

/** Removes the lock of a dead process; puts it back when another start was faster and it is a live one. */
function removeStaleLock(path: string, pid: number): void {
  const aside = `${path}.dead.${pid}`;
  try {
    renameSync(path, aside);
    const holder = readHolder(aside);
    if (holder && isSameProcess(holder)) writeLockFile(path, holder);
  } catch {
    // Somebody else removed or took it: the next try sees what is there.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes a lock file that outlives `kill -9` harmlessly: the lock of a process that is gone, or whose number now
 * belongs to another one, is taken over.
 * @returns the lock, or the live process that holds it after `timeoutMs` milliseconds of waiting. A holder that
 *   has announced its stop is waited for 15 s at least.
 */
export async function acquireLock(
  path: string,
  { timeoutMs = 1500, note = '' }: { timeoutMs?: number; note?: string } = {},
): Promise<Lock | { holder: number; note: string }> {
  const self: LockHolder = { ...identifyProcess(process.pid), note };
  const attempt = (): boolean => {
    if (writeLockFile(path, self)) return true;
    if (isStale(path)) removeStaleLock(path, self.pid);
    return false;
  };
  let taken = await waitUntil(attempt, timeoutMs);
  if (!taken && readHolder(path)?.stopping) taken = await waitUntil(attempt, 15_000);
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
