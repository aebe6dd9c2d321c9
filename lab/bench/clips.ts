import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** ffmpeg as one would type it, without guard: what it reads here is ours. */
async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args], { maxBuffer: 64_000_000 });
}

const CAMERA = (seconds: number) => [
  '-f',
  'lavfi',
  '-t',
  String(seconds),
  '-i',
  'testsrc2=size=1280x720:rate=30',
];
const VOICE = (seconds: number) => ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=440:sample_rate=48000'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '2500k', '-pix_fmt', 'yuv420p', '-g', '60'];
const AAC = ['-c:a', 'aac', '-b:a', '96k', '-movflags', '+faststart'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M', '-g', '60'];

const clip =
  (name: string, ...args: string[][]) =>
  async (folder: string): Promise<string> => {
    const path = join(folder, name);
    await ffmpeg(...args.flat(), path);
    return path;
  };

/** Seconds of {@link h264Minute} and {@link vp9Clip}. */
export const [COPIED_SECONDS, ENCODED_SECONDS] = [60, 20] as const;

/** 60 s of 720p that a browser plays as it is. */
export async function h264Minute(folder: string): Promise<string> {
  const short = await clip('part.mp4', CAMERA(10), VOICE(10), H264, AAC)(folder);
  return clip('minute.mp4', ['-stream_loop', '5', '-i', short, '-c', 'copy', '-movflags', '+faststart'])(
    folder,
  );
}

/** 20 s of 720p as a browser records it, to be encoded again. */
export const vp9Clip = clip('clip.webm', CAMERA(ENCODED_SECONDS), VOICE(ENCODED_SECONDS), VP9, [
  '-c:a',
  'libopus',
  '-b:a',
  '48k',
]);

const NOISY = [
  ...['-f', 'lavfi', '-t', '2', '-i'],
  'testsrc2=size=1920x1080:rate=30,noise=alls=16:allf=t,format=yuv420p',
];

/** 2 s of 1080p each, as noisy as a phone's are indoors, by codec. */
export async function phoneClips(folder: string): Promise<Record<string, string>> {
  const quick = (codec: string) => ['-c:v', codec, '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '5M'];
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-b:v', '9M'];
  const makers = {
    h264: clip('phone-h264.mp4', NOISY, ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '17M']),
    hevc: clip('phone-hevc.mp4', NOISY, hevc),
    vp8: clip('phone-vp8.webm', NOISY, quick('libvpx')),
    vp9: clip('phone-vp9.webm', NOISY, quick('libvpx-vp9')),
    av1: clip('phone-av1.mp4', NOISY, [
      '-c:v',
      'libaom-av1',
      '-usage',
      'realtime',
      '-cpu-used',
      '8',
      '-b:v',
      '5M',
    ]),
  };
  const made: Record<string, string> = {};
  for (const [codec, make] of Object.entries(makers)) made[codec] = await make(folder);
  return made;
}

const HLG = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67'];

/** 30 frames each in 4K and 8K, as phones and cameras record them, by name. Ten are encoded, and repeated. */
export async function largeClips(folder: string): Promise<Record<string, string>> {
  const codecs = {
    HEVC: [
      ...['-vf', 'format=yuv420p10le', '-c:v', 'libx265', '-preset', 'ultrafast', ...HLG],
      ...['-x265-params', 'log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc'],
    ],
    ProRes: ['-vf', 'format=yuv422p10le', '-c:v', 'prores_ks', '-profile:v', '3'],
  };
  const sizes = { '4K': '3840x2160', '8K': '7680x4320' };
  const made: Record<string, string> = {};
  for (const [codec, args] of Object.entries(codecs)) {
    for (const [name, size] of Object.entries(sizes)) {
      const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`, '-frames:v', '10'];
      const part = await clip(`part-${name}-${codec}.mov`, picture, args)(folder);
      const repeated = ['-stream_loop', '2', '-i', part, '-c', 'copy'];
      made[`${name} ${codec}`] = await clip(`${name}-${codec}.mov`, repeated)(folder);
    }
  }
  return made;
}

/** Seconds of {@link soundClip}. */
export const SOUND_SECONDS = 30;

/** Stereo as a browser records it, without a picture. */
export const soundClip = clip(
  'sound.webm',
  ['-f', 'lavfi', '-t', String(SOUND_SECONDS), '-i', 'anoisesrc=c=pink:r=48000:a=0.3'],
  ['-ac', '2', '-c:a', 'libopus', '-b:a', '96k'],
);
