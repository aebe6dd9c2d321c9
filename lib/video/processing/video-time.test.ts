import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getEntry } from '@/lib/journal/entries/service';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { probe } from '@/lib/video/media/probe';
import { startJobFixture } from '@/test/job-fixture';
import { h264Mp4 } from '@/test/media/clips';
import { encode } from '@/test/media/encode';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { completed, objectsOf } from '@/test/upload-fixtures';
import { readMediaReport } from './process-reports';
import { smallFitsStep } from './video-time';

const MINUTES = 30;

let jobs: Awaited<ReturnType<typeof startJobFixture>>;

beforeAll(async () => {
  // 280 seconds, which is too little for half an hour of 1080p at any speed that's believed.
  process.env.SERVERLESS = '1';
  jobs = await startJobFixture();
});
afterAll(() => jobs.end());

/** Returns half an hour that's quickly made: two seconds, repeated. */
async function halfHour(name: string, codec: string[]): Promise<string> {
  const [part, whole] = [join(workFolder(), `part-${name}`), join(workFolder(), name)];
  const picture = ['-f', 'lavfi', '-t', '2', '-i', 'color=gray:size=1920x1080:rate=30'];
  await encode([...picture, ...codec], part);
  await encode(['-stream_loop', String(MINUTES * 30 - 1), '-i', part, '-c', 'copy'], whole);
  return whole;
}

it('ends the job of a video that would take too long at once, and the entry plays what was uploaded', async () => {
  const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
  const upload = await completed(() => halfHour('long.webm', vp9));
  await deliverOutbox();
  const run = await jobs.endOf('process-video');
  expect(run).toMatchObject({ status: 'completed' });
  const entry = await getEntry(upload.userId, upload.entryId);
  expect(entry).toMatchObject({
    videoStatus: 'failed',
    videoError: expect.stringMatching(
      /^This video takes longer to prepare than this site allows\. Videos like this one can be up to [\d.]+ (?:seconds|minutes?) long\.$/,
    ),
    videoUrl: expect.stringContaining('remux.webm'),
  });
  expect(await objectsOf(upload)).toEqual(['remux.webm', 'source', 'thumbnail.jpg']);
  // Others learn from it how fast ffmpeg is.
  expect(await readMediaReport()).toMatchObject({ kind: 'native', isRecent: true });
});

it('copies a video that browsers can play, however long it is', async () => {
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const upload = await completed(() => halfHour('long.mp4', h264));
  await deliverOutbox();
  await jobs.endOf('process-video');
  expect(await getEntry(upload.userId, upload.entryId)).toMatchObject({
    videoStatus: 'ready',
    videoError: null,
    duration: MINUTES * 60,
  });
});

it('makes no small version of a video for which a step is too short', async () => {
  const clip = await probe(await nativeTool(), await h264Mp4());
  const video = { ...clip.video, width: 1920, height: 1080, frames: MINUTES * 60 * 30 };
  expect(await smallFitsStep(clip)).toBe(true);
  expect(await smallFitsStep({ ...clip, video, durationSeconds: MINUTES * 60 })).toBe(false);
});
