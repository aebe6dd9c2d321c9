import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identifyProcess, isSameProcess, type ProcessIdentity, waitUntil } from './processes';

type LockHolder = ProcessIdentity & { note: string; stopping?: boolean };

export type Lock = {
  /** Tells processes that wait for the lock that it will be released soon. */
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

/** Returns false if the file already exists. */
function writeLockFile(path: string, holder: LockHolder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns whether the holder is gone. An unreadable file is being written, or was cut off by a power loss. */
function isStale(path: string): boolean {
  const holder = readHolder(path);
  if (holder) return !isSameProcess(holder);
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written > 2000;
}

/** Removes the lock of a dead process. Puts it back if a live process has taken it meanwhile. */
function removeStaleLock(path: string, pid: number): void {
  const aside = `${path}.dead.${pid}`;
  try {
    renameSync(path, aside);
    const holder = readHolder(aside);
    if (holder && isSameProcess(holder)) writeLockFile(path, holder);
  } catch {
    // Another process removed or took it. The next attempt sees which.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Acquires a lock file. A lock left behind by `kill -9` is taken over, even if its process id has been reused.
 * @returns the lock, or the process that still holds it after `timeoutMs` milliseconds. If the holder announced its stop,
 *   waits up to 15 s longer.
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
