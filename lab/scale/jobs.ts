import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { buildSpeechModels } from '@/scripts/build-speech';
import { joinSamples, readSentences } from '@/test/media/samples';
import { COPIED_SECONDS, ENCODED_SECONDS, h264Minute, vp9Clip } from '../bench/clips';
import { median } from '../bench/measurements';
import { recognize } from '../speech/recognize';
import { writeVideo } from '../speech/samples';
import type { JobName } from './figures';
import { cpuSecondsOfPipeline, cpuSecondsOfPreviews } from './pipeline';

const ROUNDS = 3;

async function repeat(measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  while (values.length < ROUNDS) values.push(await measure());
  return median(values);
}

/** Processor seconds of the built-in speech engine for a second of people reading aloud. */
async function speechPerSecond(folder: string): Promise<number> {
  await buildSpeechModels();
  const sentences = await readSentences();
  const file = join(folder, 'speech.mp4');
  const samples = joinSamples(
    sentences.map((it) => it.samples),
    0.5,
  );
  await writeVideo(file, samples);
  const { heard } = await recognize([file], folder);
  const [first] = heard;
  if (!first || first.passages.length === 0) throw new Error('Nothing was heard.');
  return first.cpuSeconds / first.seconds;
}

/** Processor seconds of each kind of job for each minute, children included. */
export async function measureJobs(folder: string): Promise<Record<JobName, number>> {
  // bubblewrap doesn't pass on the CPU time of what it ran.
  const tool = await locateFfmpeg({ sandbox: 'off' });
  if (tool?.kind !== 'native') throw new Error('This needs ffmpeg on PATH.');
  const [copied, encoded] = [await h264Minute(folder), await vp9Clip(folder)];
  const scratch = mkdtempSync(join(folder, 'jobs-'));
  const perMinute = (seconds: number, length: number) => (seconds / length) * 60;
  const figures = {
    copy: perMinute(await repeat(() => cpuSecondsOfPipeline(tool, copied, scratch, 'keep')), COPIED_SECONDS),
    encode: perMinute(
      await repeat(() => cpuSecondsOfPipeline(tool, encoded, scratch, 'transcode')),
      ENCODED_SECONDS,
    ),
    previews: perMinute(await repeat(() => cpuSecondsOfPreviews(tool, copied, scratch)), COPIED_SECONDS),
    speech: (await speechPerSecond(folder)) * 60,
  };
  rmSync(scratch, { recursive: true });
  return figures;
}
