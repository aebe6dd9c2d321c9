import { execFile } from 'node:child_process';
import { SAMPLE_RATE } from '@/lib/video/speech/types';

const MONO = ['-ac', '1', '-ar', String(SAMPLE_RATE)];
const RAW = ['-f', 'f32le', ...MONO];

/** Runs ffmpeg with samples or nothing as its input, and returns what it writes. */
function pipe(args: string[], input?: Float32Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', maxBuffer: 1_000_000_000 } as const;
    const child = execFile('ffmpeg', ['-nostdin', '-loglevel', 'error', ...args], options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin?.end(input && Buffer.from(input.buffer, input.byteOffset, input.byteLength));
  });
}

const toSamples = (bytes: Buffer) => new Float32Array(Uint8Array.from(bytes).buffer);

/** Returns `seconds` of an ffmpeg source such as `anoisesrc`. */
export const generateSamples = async (source: string, seconds: number): Promise<Float32Array> =>
  toSamples(await pipe(['-f', 'lavfi', '-t', String(seconds), '-i', source, ...RAW, '-']));

/** Returns what's left of samples after ffmpeg filters at their own rate. */
export const filterSamples = async (samples: Float32Array, filters: string): Promise<Float32Array> =>
  toSamples(await pipe([...RAW, '-i', '-', '-af', filters, ...RAW, '-'], samples));

/** Writes an MP4 as a browser would record it: a small picture, and the sound as AAC at 48 kHz and 64 kbit/s. */
export async function writeVideo(file: string, samples: Float32Array): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'color=size=64x36:rate=5'];
  const encoders = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '64k', '-ar', '48000'];
  await pipe(
    ['-y', ...RAW, '-i', '-', ...picture, '-shortest', ...encoders, '-movflags', '+faststart', file],
    samples,
  );
}
