import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportJobRun, reportMedia } from '@/lib/video/processing/process-reports';
import { useFreshDatabase } from '@/test/app-database';
import { describeMedia, findMediaProblems } from './media';

let end: () => Promise<void>;

beforeAll(async () => {
  // This process has ffmpeg, and a function for health checks doesn't.
  end = await useFreshDatabase({ settings: { SERVERLESS: '1' } });
});
afterAll(() => end());

it('goes by what the function that runs jobs has found, on serverless hosts', async () => {
  expect(await findMediaProblems()).toEqual([]);
  await reportJobRun('There’s no usable ffmpeg.');
  expect(await findMediaProblems()).toEqual(['There’s no usable ffmpeg.']);
  await reportJobRun();
  expect(await findMediaProblems()).toEqual([]);
});

it('says which ffmpeg the function that runs jobs has, and what fits there', async () => {
  expect(await describeMedia()).toEqual([
    'No function has reported its ffmpeg yet, so this assumes the slow build. Videos can be up to 30 seconds long and 150 MB.',
  ]);
  await reportMedia({ ffmpeg: 'ffmpeg 7.1 (native, /ffmpeg)', kind: 'native', speed: 1 });
  expect(await describeMedia()).toEqual([
    'Videos are prepared with ffmpeg 7.1 (native, /ffmpeg), measured at 100% of the usual speed. Videos can be up to 2.25 minutes long and 150 MB.',
  ]);
});
