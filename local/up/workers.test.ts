import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { startJobService } from '@/test/job-service';
import { readJson } from './data-dir';
import { startUpProcess } from './fixtures/up-process';
import { isSameProcess, type ProcessIdentity, sendSignal, waitUntil } from './processes';
import { workerPidFiles } from './workers';

test('workers run beside the site with JOBS=worker, are restarted, and stop with it', async () => {
  const jobs = await startJobService();
  const folder = mkdtempSync(join(tmpdir(), 'daylight-up-'));
  const dataDir = join(folder, 'data');
  const keys = { INNGEST_EVENT_KEY: 'key', INNGEST_SIGNING_KEY: 'signkey-test-ab' };
  const up = await startUpProcess(dataDir, {
    env: { JOBS: 'worker', INNGEST_BASE_URL: jobs.url, ...keys },
  });
  const workers = () => workerPidFiles(dataDir).flatMap((file) => readJson<ProcessIdentity>(file) ?? []);
  try {
    await up.ready();
    const sql = postgres(up.addresses()['database'] ?? '', { max: 1 });
    /** Returns whether both have reported, which they do with the site's settings only. */
    const haveReported = async () => {
      const reports = await sql<{ id: string }[]>`select id from process_reports where role = 'worker'`;
      const pids = reports.map(({ id }) => Number(id.split('-')[1]));
      return workers().length === 2 && workers().every(({ pid }) => pids.includes(pid));
    };
    expect(await waitUntil(haveReported, 60_000)).toBe(true);
    const [first] = workers();
    sendSignal(first?.pid ?? 0, 'SIGKILL');
    expect(await waitUntil(() => workers().every(({ pid }) => pid !== first?.pid), 60_000)).toBe(true);
    expect(await waitUntil(haveReported, 60_000)).toBe(true);
    expect(jobs.paths).toContain('/v0/connect/start');
    await sql.end();
    const last = workers();
    up.child.kill('SIGTERM');
    await up.ended;
    expect(last.filter(isSameProcess)).toEqual([]);
  } finally {
    up.child.kill('SIGTERM');
    await up.ended;
    jobs.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
