import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { reportJobRun, reportWorker } from '@/lib/video/processing/process-reports';
import { useFreshDatabase } from '@/test/app-database';
import { startJobService } from '@/test/job-service';
import { nativeTool } from '@/test/media/ffmpeg-tools';
import { buildPrograms } from '@/test/programs';

let jobs: Awaited<ReturnType<typeof startJobService>>;
let programs: Awaited<ReturnType<typeof buildPrograms>>;
let takeDown: () => Promise<void>;

beforeAll(async () => {
  jobs = await startJobService();
  jobs.runsPings = true;
  takeDown = await useFreshDatabase({
    settings: {
      INNGEST_BASE_URL: jobs.url,
      INNGEST_SERVE_ORIGIN: jobs.url,
      INNGEST_SIGNING_KEY: 'signkey-test-abab',
      // As where nobody has set it.
      FFMPEG_SANDBOX: '',
    },
  });
  programs = await buildPrograms();
});
afterAll(async () => {
  await programs.remove();
  await takeDown();
  await jobs.close();
});
beforeEach(() => reportJobRun());

/** Returns what the doctor says about jobs, in one line. */
async function readJobsCheck(env: Record<string, string>): Promise<string> {
  const { output } = await programs.start('doctor', env).ended;
  const [line = ''] = output.match(/^[✓✗] Jobs(?:\n {4}.*)*/m) ?? [];
  return line.replace(/\n +/g, ' ');
}

it.runIf(process.platform === 'linux')(
  'ffmpeg’s sandbox is required in production, unless the settings make do with less',
  async () => {
    const { ffmpeg, ffprobe } = await nativeTool();
    // The programs that sandboxes are made of aren't on this PATH.
    const without = { PATH: '/nonexistent', FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe ?? '' };
    expect(await readJobsCheck(without)).toMatch(
      /^✗ Jobs .*sandbox isn’t complete \(FFMPEG_SANDBOX=required, but ffmpeg would run without a sandbox .*set FFMPEG_SANDBOX=auto/,
    );
    expect(await readJobsCheck({ ...without, FFMPEG_SANDBOX: 'auto' })).toMatch(
      /^✓ Jobs ffmpeg, .* runs without a sandbox \(this system refuses every kind/,
    );
  },
);

it('a worker whose ffmpeg runs in a weaker sandbox is named', async () => {
  jobs.app = 'daylight-worker';
  const worker = { ffmpeg: 'ffmpeg 7', isConnected: true, problem: null, version: '0.1.0' };
  await reportWorker('complete', { ...worker, exposure: null });
  await reportWorker('earlier', worker);
  await reportWorker('exposed', { ...worker, exposure: 'ffmpeg runs as a user of its own.' });
  expect(await readJobsCheck({ JOBS: 'worker' })).toBe(
    '✓ Jobs A worker reports: ffmpeg runs as a user of its own. A worker prepares videos with ffmpeg 7.',
  );
});
