import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeMedia } from '@/lib/operations/health/media';
import { useFreshDatabase } from '@/test/app-database';
import { wasmTool } from '@/test/media/ffmpeg-tools';
import { jobLimits } from './job-limits';
import { ffmpegTool } from './media-tool';
import { readMediaReport, reportMedia } from './process-reports';
import { mediaSpeed, shareMediaSpeed, tooSlow } from './video-time';

const wasm = await wasmTool();
const path = process.env['PATH'];
let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase({ settings: { SERVERLESS: '1', FFMPEG_SANDBOX: 'off' } });
  // As in a function: nothing but Node.
  process.env['PATH'] = '/nonexistent';
});
afterAll(async () => {
  process.env['PATH'] = path;
  await end();
});

it.runIf(wasm)(
  'names the slow build where only that one is, and believes the best measurement of a day',
  async ({ skip }) => {
    const { kind, describe } = await ffmpegTool();
    if (kind !== 'wasm') return skip('ffmpeg-static is installed');
    expect(tooSlow('', 'Shorten it.').message).toBe(
      'This video takes longer to prepare than this site allows. This site prepares videos with a slow build of ffmpeg. Shorten it.',
    );
    // Another function with the same build has found a faster core.
    const report = { ffmpeg: describe, kind, speed: 3.9 } as const;
    await reportMedia(report);
    await shareMediaSpeed();
    expect(await mediaSpeed()).toMatchObject(report);
    const [note] = await describeMedia();
    expect(note).toContain(
      'ffmpeg as WebAssembly (@ffmpeg/core, about five times slower), measured at 390% of',
    );

    // One with another build says nothing of this one.
    await reportMedia({ ...report, ffmpeg: 'ffmpeg 7', kind: 'native', speed: 4 });
    const before = (await jobLimits()).seconds ?? 0;
    await shareMediaSpeed();
    expect(await readMediaReport()).toMatchObject({ ffmpeg: describe, kind: 'wasm', isRecent: true });
    expect((await jobLimits()).seconds).toBeLessThan(before);
  },
);
