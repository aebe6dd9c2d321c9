import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportJobRun } from '@/lib/processing/process-reports';
import { useFreshDatabase } from '@/test/app-database';
import { findMediaProblems } from './media';

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
