import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { processReports } from '@/db/schema/jobs';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { startJobService } from '@/test/job-service';
import { buildPrograms } from '@/test/programs';

const NOWHERE = 'http://127.0.0.1:9';

let jobs: Awaited<ReturnType<typeof startJobService>>;
let programs: Awaited<ReturnType<typeof buildPrograms>>;
let tearDown: () => Promise<void>;

beforeAll(async () => {
  jobs = await startJobService();
  const settings = {
    FFMPEG_SANDBOX: 'off',
    INNGEST_BASE_URL: jobs.url,
    INNGEST_SIGNING_KEY: 'signkey-test-abab',
    S3_ENDPOINT: NOWHERE,
    S3_FORCE_PATH_STYLE: '1',
    STRIPE_API_BASE: NOWHERE,
    RESEND_BASE_URL: NOWHERE,
  };
  tearDown = await useFreshDatabase({ settings });
  programs = await buildPrograms();
});
afterAll(async () => {
  await programs.remove();
  await tearDown();
  jobs.close();
});

const readReports = () => db().select().from(processReports).where(eq(processReports.role, 'worker'));

it('reports what it can do, several at once, and takes its report back when it stops', async () => {
  const workers = [programs.start('worker'), programs.start('worker')];
  await waitUntil(async () => (await readReports()).length === 2, 60_000);
  const reports = await readReports();
  expect(reports).toHaveLength(2);
  for (const { details } of reports) {
    expect(details).toEqual({
      ffmpeg: expect.any(String),
      exposure: expect.stringContaining('FFMPEG_SANDBOX=off'),
      isConnected: false,
      problem: null,
      version: expect.any(String),
    });
  }
  await waitUntil(() => jobs.paths.includes('/v0/connect/start'), 60_000);
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { ended } of workers) expect(await ended).toMatchObject({ code: 0 });
  expect(await readReports()).toEqual([]);
});

it('logs a JSON line for each problem with the services', async () => {
  const { child, ended, shows } = programs.start('worker');
  for (const check of ['Storage', 'Payments', 'Email']) {
    expect(await shows(`"event":"startup.problem","check":"${check}"`)).toBe(true);
  }
  child.kill('SIGTERM');
  const { output } = await ended;
  const lines = output.trim().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
  expect(output).not.toContain('abab');
});

it('lists the settings that are missing, and exits with 1', async () => {
  const { code, output } = await programs.start('worker', { S3_BUCKET: '', MAIL_FROM: '' }).ended;
  expect([code, output]).toEqual([1, expect.stringMatching(/S3_BUCKET is missing\n *MAIL_FROM is missing/)]);
});
