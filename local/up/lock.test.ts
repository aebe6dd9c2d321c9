import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from './lock';
import { identifyProcess } from './processes';

const path = (): string => join(mkdtempSync(join(tmpdir(), 'daylight-lock-')), 'up.lock');
const write = (file: string, holder: object) => writeFileSync(file, JSON.stringify(holder));

test('gives the lock to one process and names it to others', async () => {
  const file = path();
  const lock = await acquireLock(file, { note: 'port 3000' });
  expect('release' in lock).toBe(true);
  expect(await acquireLock(file, { timeoutMs: 100 })).toEqual({ holder: process.pid, note: 'port 3000' });
  if ('release' in lock) lock.release();
  expect('release' in (await acquireLock(file))).toBe(true);
});

test('takes over the lock of a process that is gone or whose id was reused', async () => {
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

test('takes over a lock that was cut off by a power loss', async () => {
  const file = path();
  writeFileSync(file, '');
  const past = new Date(Date.now() - 60_000);
  utimesSync(file, past, past);
  expect('release' in (await acquireLock(file))).toBe(true);
});

test('gives a stale lock to one of many processes', async () => {
  const file = path();
  write(file, { pid: 2 ** 30, mark: 'gone', note: '' });
  const takers = await Promise.all(Array.from({ length: 20 }, () => acquireLock(file, { timeoutMs: 300 })));
  expect(takers.filter((taker) => 'release' in taker)).toHaveLength(1);
});

test('waits for a holder that announced its stop', async () => {
  const file = path();
  const first = await acquireLock(file);
  if (!('release' in first)) throw new Error('not taken');
  first.announceStop();
  const second = acquireLock(file, { timeoutMs: 0 });
  setTimeout(first.release, 500);
  expect('release' in (await second)).toBe(true);
});
