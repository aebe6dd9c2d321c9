import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from './lock';
import { identifyProcess } from './processes';

const path = (): string => join(mkdtempSync(join(tmpdir(), 'daylight-lock-')), 'up.lock');
const write = (file: string, holder: object) => writeFileSync(file, JSON.stringify(holder));

test('a lock is held by one, who is named to others', async () => {
  const file = path();
  const lock = await acquireLock(file, { note: 'port 3000' });
  expect('release' in lock).toBe(true);
  expect(await acquireLock(file, { timeoutMs: 100 })).toEqual({ holder: process.pid, note: 'port 3000' });
  if ('release' in lock) lock.release();
  expect('release' in (await acquireLock(file))).toBe(true);
});

test('the lock of a process that is gone, or whose number is another one now, is taken over', async () => {
  for (const holder of [
    { pid: 2 ** 30, mark: 'gone', note: '' },
    { ...identifyProcess(process.ppid), mark: 'of an earlier process', note: '' },
  ]) {
    const file = path();
    write(file, holder);
    expect('release' in (await acquireLock(file))).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(process.pid);
  }
});

test('a lock that a power loss cut off is taken over', async () => {
  const file = path();
  writeFileSync(file, '');
  const past = new Date(Date.now() - 60_000);
  utimesSync(file, past, past);
  expect('release' in (await acquireLock(file))).toBe(true);
});

test('of many that find the same dead lock at once, one gets it', async () => {
  const file = path();
  write(file, { pid: 2 ** 30, mark: 'gone', note: '' });
  const takers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(file, { timeoutMs: 300 })));
  expect(takers.filter((taker) => 'release' in taker)).toHaveLength(1);
});

test('a holder that has announced its stop is waited for', async () => {
  const file = path();
  const first = await acquireLock(file);
  if (!('release' in first)) throw new Error('not taken');
  first.announceStop();
  const second = acquireLock(file, { timeoutMs: 0 });
  setTimeout(first.release, 500);
  expect('release' in (await second)).toBe(true);
});
