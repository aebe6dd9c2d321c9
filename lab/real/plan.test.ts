import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listTestFiles } from '@/test/selection';
import { localSettings } from './nginx';
import { planRun, SERVERS } from './plan';
import { findProgram } from './process';
import { formatTable, hasFailed, separateDifferences } from './table';

const files = listTestFiles();
const everything = (program: string) => `/bin/${program}`;
const nothing = () => null;

it('names the programs that are missing, and fails nothing without any', () => {
  const results = planRun([], files, nothing).map(({ server, skipped }) => ({
    name: server.name,
    skipped,
    suites: [],
  }));
  expect(results.map(({ name }) => name)).toEqual(SERVERS.map(({ name }) => name));
  const needy = results.filter(({ name }) => SERVERS.find((server) => server.name === name)?.programs.length);
  expect(needy.every(({ skipped }) => skipped?.includes('not found on PATH or in REAL_SERVERS'))).toBe(true);
  expect(formatTable(results)).toMatch(/^inngest-redis +skipped: inngest and redis-server not found/m);
  expect(hasFailed(results)).toBe(false);
});

it('says what keeps a server from running on this machine, and doesn’t run it', () => {
  const [plan] = planRun(['offline'], files, () => '/bin/false');
  expect(plan?.skipped).toMatch(/bubblewrap create a network namespace/);
});

it('finds programs in REAL_SERVERS before PATH', () => {
  const [first, second] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'daylight-programs-'))) as [
    string,
    string,
  ];
  for (const folder of [first, second]) writeFileSync(join(folder, 'weed'), '', { mode: 0o755 });
  writeFileSync(join(second, 'minio'), '', { mode: 0o644 });
  const env = { REAL_SERVERS: first, PATH: second } as unknown as NodeJS.ProcessEnv;
  expect(findProgram('weed', env)).toBe(join(first, 'weed'));
  expect(findProgram('minio', env)).toBeNull();
  for (const folder of [first, second]) rmSync(folder, { recursive: true });
});

it('chooses servers by name, and their tests by suite and path', () => {
  const named = planRun(['minio', 'unit'], files, everything);
  expect(named.map(({ server }) => server.name)).toEqual(['minio', 'minio-kms']);
  for (const plan of named) {
    expect(plan.files.unit).toContain('local/s3/s3.multipart.test.ts');
    expect(plan.files.e2e).toEqual([]);
  }
  const [dev] = planRun(['inngest-dev', 'e2e/journeys/upload-flow'], files, everything);
  expect(dev?.files).toEqual({ unit: [], e2e: ['e2e/journeys/upload-flow.spec.ts'] });
  const mixed = planRun(
    ['inngest-dev', 'inngest-workers-dev', 'e2e/workers', 'e2e/api/entries'],
    files,
    everything,
  );
  expect(mixed.map(({ files: { e2e } }) => e2e)).toEqual([
    ['e2e/api/entries.spec.ts'],
    ['e2e/workers.spec.ts'],
  ]);
  expect(() => planRun(['nonsense'], files, everything)).toThrow('nonsense');
});

it('has tests for each server, all of which exist', () => {
  for (const { name, tests } of SERVERS) {
    const parts = [...tests.unit, ...tests.e2e];
    expect(parts, name).not.toEqual([]);
    for (const part of parts) {
      const found = [...files.unit, ...files.e2e].some((file) => file.includes(part));
      expect([name, part, found]).toEqual([name, part, true]);
    }
  }
});

it('counts known differences apart from failures', () => {
  const counts = {
    passed: 5,
    failed: 2,
    skipped: 0,
    failures: ['a.test.ts › ranges count\n    Error', 'b.test.ts › other'],
    flaky: [],
  };
  const split = separateDifferences(counts, { 'ranges count': 'it ignores them' });
  expect(split.counts).toMatchObject({ passed: 5, failed: 1, failures: ['b.test.ts › other'] });
  expect(split.differences).toEqual(['a.test.ts › ranges count: it ignores them']);
  expect(hasFailed([{ name: 'x', skipped: null, suites: [{ name: 'unit', duration: '', ...split }] }])).toBe(
    true,
  );
});

it('runs nginx with the settings for operators', () => {
  const settings = localSettings(4000, [4001, 4002]);
  for (const part of ['listen 127.0.0.1:4000;', 'server 127.0.0.1:4001 max_fails=0;', 'keepalive_timeout'])
    expect(settings).toContain(part);
  for (const part of ['ssl', 'listen 80', 'journal.example', ':3000', ':3001', ':7070'])
    expect(settings.replace(/#.*/g, '')).not.toContain(part);
  const withStorage = localSettings(4000, [4001], { port: 4003, storage: 4004 });
  for (const part of ['listen 127.0.0.1:4003;', 'proxy_pass http://127.0.0.1:4004;'])
    expect(withStorage).toContain(part);
});
