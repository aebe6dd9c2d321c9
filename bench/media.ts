import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extractSpeechAudio } from '@/lib/video/media/audio';
import { type FfmpegTool, locateFfmpeg } from '@/lib/video/media/locate-ffmpeg';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { makeStoryboard } from '@/lib/video/media/storyboard';
import { makeThumbnail } from '@/lib/video/media/thumbnail';
import { measureWaveform } from '@/lib/video/media/waveform';
import {
  bareProbe,
  bareRendition,
  bareSpeechAudio,
  bareStoryboard,
  bareThumbnail,
  bareWaveform,
} from './bare-media';
import type { Benchmark } from './bench';
import { h264Minute, vp9Clip } from './clips';
import { interleave, type Measurement, measurement } from './measurements';
import { endedChildrenCpuSeconds, ownCpuSeconds } from './processes';

type Plan = 'copy' | 'transcode';

/** Returns the CPU seconds of what this process and its children do meanwhile. */
export async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const now = () => ownCpuSeconds() + endedChildrenCpuSeconds();
  const before = now();
  await work();
  return now() - before;
}

async function appPipeline(tool: FfmpegTool, file: string, folder: string, expected: Plan): Promise<void> {
  const source = await probe(tool, file);
  await makeThumbnail(tool, file, join(folder, 'ours.jpg'), source);
  const { plan } = await makeRendition(tool, file, join(folder, 'ours.mp4'), source, { maxSeconds: 300 });
  if (plan !== expected) throw new Error(`${file} was to be a ${expected} and became a ${plan}.`);
  await extractSpeechAudio(tool, file, folder, source, { form: 'compressed' });
}

/** CPU seconds of all that's made of a video before it can be watched, and of the sound for its words. */
export const cpuSecondsOfPipeline = (tool: FfmpegTool, file: string, folder: string, expected: Plan) =>
  cpuSeconds(() => appPipeline(tool, file, folder, expected));

/** CPU seconds of the pictures and the waveform on the time bar. */
export async function cpuSecondsOfPreviews(tool: FfmpegTool, file: string, folder: string): Promise<number> {
  const source = await probe(tool, file);
  return cpuSeconds(async () => {
    await makeStoryboard(tool, file, join(folder, 'ours.jpg'), source);
    await measureWaveform(tool, file, source);
  });
}

async function barePipeline(file: string, folder: string, plan: Plan): Promise<void> {
  await bareProbe(file);
  await bareThumbnail(file, folder);
  await bareRendition(file, folder, plan);
  await bareSpeechAudio(file, folder);
}

async function compare(
  tool: FfmpegTool,
  file: string,
  { name, plan, rounds, bar }: { name: string; plan: Plan; rounds: number; bar: number },
): Promise<Measurement> {
  const folder = mkdtempSync(`${file}-`);
  const { ours, limit } = await interleave(rounds, {
    ours: () => cpuSecondsOfPipeline(tool, file, folder, plan),
    limit: () => cpuSeconds(() => barePipeline(file, folder, plan)),
  });
  rmSync(folder, { recursive: true });
  return measurement(name, { unit: 'CPU s', ours, limit, bar });
}

/** Storyboard and waveform of a video that can be watched, each beside its command alone. */
async function comparePreviews(tool: FfmpegTool, file: string): Promise<Measurement[]> {
  const folder = mkdtempSync(`${file}-`);
  const source = await probe(tool, file);
  const board = await interleave(5, {
    ours: () =>
      cpuSeconds(async () => void (await makeStoryboard(tool, file, join(folder, 'ours.jpg'), source))),
    limit: () => cpuSeconds(() => bareStoryboard(file, folder)),
  });
  const wave = await interleave(5, {
    ours: () => cpuSeconds(async () => void (await measureWaveform(tool, file, source))),
    limit: () => cpuSeconds(() => bareWaveform(file)),
  });
  rmSync(folder, { recursive: true });
  return [
    measurement('storyboard of 60 s', { unit: 'CPU s', ...board, bar: 1.35 }),
    measurement('waveform of 60 s', { unit: 'CPU s', ...wave, bar: 1.35 }),
  ];
}

/** CPU of everything that is made of an upload, children included, beside the same commands of ffmpeg alone. */
export const media: Benchmark = {
  linuxOnly: true,
  async measure({ folder }) {
    // bubblewrap doesn't pass on the CPU time of what it ran, so the sandbox would make every figure look too good.
    const tool = await locateFfmpeg({ sandbox: 'off' });
    if (tool?.kind !== 'native') throw new Error('The bench needs an ffmpeg on PATH.');
    const copied = await h264Minute(folder);
    const transcoded = await vp9Clip(folder);
    return [
      await compare(tool, copied, {
        name: 'pipeline, 60 s H.264 copied',
        plan: 'copy',
        rounds: 5,
        bar: 1.1,
      }),
      await compare(tool, transcoded, {
        name: 'pipeline, 20 s VP9 transcoded',
        plan: 'transcode',
        rounds: 3,
        bar: 1.1,
      }),
      ...(await comparePreviews(tool, copied)),
    ];
  },
};
