import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** As many as the guarded calls take. */
const THREADS = ['-threads', String(Math.min(4, availableParallelism()))];

/** ffmpeg as one would type it, without guard: what it reads here is ours. */
export async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args], { maxBuffer: 64_000_000 });
}

async function ffprobe(file: string): Promise<void> {
  const entries = 'packet=stream_index,pts_time,dts_time,duration_time:stream:format';
  await run('ffprobe', ['-loglevel', 'error', '-of', 'csv=p=0', '-show_entries', entries, file], {
    maxBuffer: 64_000_000,
  });
}

const VIDEO = {
  copy: ['-c', 'copy'],
  transcode: [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    ...['-maxrate', '8M', '-bufsize', '16M', '-force_key_frames', 'expr:gte(t,n_forced*4)'],
    ...['-c:a', 'aac', '-b:a', '128k'],
  ],
};

/** One call for the streams and for the times of all packets, since recorders' headers have no duration. */
export const bareProbe = ffprobe;

export function bareThumbnail(file: string, folder: string): Promise<void> {
  const picture = 'scale=640:360,format=yuvj420p,thumbnail=n=12';
  const input = [...THREADS, '-ss', '2', '-i', file];
  return ffmpeg(...input, '-frames:v', '1', '-vf', picture, '-q:v', '4', join(folder, 'bare.jpg'));
}

/** The video to play, and what proves it: its packets' times, and that its first frames decode. */
export async function bareRendition(file: string, folder: string, plan: 'copy' | 'transcode'): Promise<void> {
  const made = join(folder, 'bare.mp4');
  await ffmpeg(...THREADS, '-i', file, ...VIDEO[plan], ...THREADS, '-movflags', '+faststart', made);
  await ffprobe(made);
  await ffmpeg(...THREADS, '-i', made, '-map', '0:v:0', '-frames:v', '10', '-f', 'null', '-');
}

/** 30 pictures of a minute with a key frame every two seconds. */
export function bareStoryboard(file: string, folder: string): Promise<void> {
  const pictures = 'fps=1/2,scale=160:90:flags=fast_bilinear,format=yuvj420p,tile=10x3';
  const input = [...THREADS, '-skip_frame', 'nokey', '-i', file];
  return ffmpeg(...input, '-an', '-frames:v', '1', '-vf', pictures, '-q:v', '6', join(folder, 'board.jpg'));
}

/** The peaks of 120 ms each, which the log then holds. */
export function bareWaveform(file: string): Promise<void> {
  const peaks = 'aresample=8000,asetnsamples=n=960,astats=metadata=1:reset=1:measure_perchannel=none';
  const print = 'ametadata=mode=print:key=lavfi.astats.Overall.Peak_level:file=/dev/null';
  return ffmpeg(
    '-i',
    file,
    '-vn',
    '-ac',
    '1',
    '-af',
    `${peaks}:measure_overall=Peak_level,${print}`,
    '-f',
    'null',
    '-',
  );
}

export function bareSpeechAudio(file: string, folder: string): Promise<void> {
  const sound = ['-vn', '-ac', '1', '-ar', '16000', '-af', 'volumedetect', '-c:a', 'libopus', '-b:a', '32k'];
  return ffmpeg('-i', file, ...sound, join(folder, 'bare.ogg'));
}
