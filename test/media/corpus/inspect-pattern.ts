import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PATTERN } from './pattern';

/** What became of the pattern in a video or a picture, as a player shows it. */
export interface SeenPattern {
  /** The mean red, green, and blue of each patch, half a second in, and close to the end. */
  patches: number[][];
  lastPatches: number[][];
  /** How far the picture's outermost pixels are from their patches, of 255: far, if there's a bar. */
  edges: number;
  /** Seconds until the band flashes; null if it doesn't. */
  flashAt: number | null;
  /** Seconds until the tone sounds, and its level in dBFS; null if it doesn't. */
  tone: { at: number; peak: number } | null;
  seconds: number;
}

const run = async (program: 'ffmpeg' | 'ffprobe', args: string[]) => {
  const options = { encoding: 'buffer', maxBuffer: 256_000_000 } as const;
  const { stdout, stderr } = await promisify(execFile)(program, args, options);
  return { stdout, stderr: stderr.toString() };
};

/** The rate that frames are looked at, in Hz. */
const RATE = 100;

/** Returns the frames of a file in the pattern's size and in RGB: `matrix` and `range` are how players read it. */
async function framesOf(path: string, { matrix, range }: { matrix: string; range: string }): Promise<Buffer> {
  const size = `${PATTERN.width}:${PATTERN.height}:flags=area`;
  const filters = `fps=${RATE}:start_time=0,scale=${size}:in_color_matrix=${matrix}:in_range=${range},format=gbrp,format=rgb24`;
  // A size that changes would start `fps` over.
  const input = ['-v', 'error', '-reinit_filter', '0', '-i', path];
  const { stdout } = await run('ffmpeg', [...input, '-vf', filters, '-f', 'rawvideo', '-']);
  return stdout;
}

/** Returns the mean of each patch of a frame, without its edges. */
function patchesOf(frame: Buffer): number[][] {
  const { width, patchWidth, patchHeight } = PATTERN;
  return Array.from({ length: 9 }, (_, patch) => {
    const [left, top] = [(patch % 3) * patchWidth + 24, Math.floor(patch / 3) * patchHeight + 14];
    const sums = [0, 0, 0];
    for (let y = top; y < top + 26; y += 1) {
      for (let x = left; x < left + 48; x += 1) {
        for (let channel = 0; channel < 3; channel += 1) {
          sums[channel] = (sums[channel] ?? 0) + (frame[(y * width + x) * 3 + channel] ?? 0);
        }
      }
    }
    return sums.map((sum) => sum / (48 * 26));
  });
}

/** Returns the greatest difference of a frame's left, right, and upper edges from the patches there. */
function edgesOf(frame: Buffer, patches: number[][]): number {
  const { width, patchWidth, patchHeight } = PATTERN;
  const off = (patch: number, x: number, y: number) =>
    Math.max(
      ...[0, 1, 2].map((channel) =>
        Math.abs((patches[patch]?.[channel] ?? 0) - (frame[(y * width + x) * 3 + channel] ?? 0)),
      ),
    );
  const places = [0, 1, 2].flatMap((index) => {
    const [x, y] = [(index + 0.5) * patchWidth, (index + 0.5) * patchHeight];
    return [off(index * 3, 0, y), off(index * 3 + 2, width - 1, y), off(index, x, 0)];
  });
  return Math.max(...places);
}

const bandOf = (frame: Buffer) => frame[(180 * PATTERN.width + 144) * 3] ?? 0;

const SAMPLE_RATE = 48_000;

async function toneOf(path: string): Promise<SeenPattern['tone']> {
  const args = ['-v', 'error', '-i', path, '-map', '0:a:0', '-af', 'aresample=48000:async=1:first_pts=0'];
  const { stdout } = await run('ffmpeg', [...args, '-ac', '1', '-f', 'f32le', '-']).catch(() => ({
    stdout: Buffer.alloc(0),
  }));
  let [at, peak] = [-1, 0];
  for (let index = 0; index * 4 + 4 <= stdout.length; index += 1) {
    const sample = Math.abs(stdout.readFloatLE(index * 4));
    peak = Math.max(peak, sample);
    if (at < 0 && sample > 0.05) at = index / SAMPLE_RATE;
  }
  return at < 0 ? null : { at, peak: 20 * Math.log10(peak) };
}

/** Returns how players read a video's colors: as its tags say, or else by its height. */
async function colorsOf(path: string): Promise<{ matrix: string; range: string }> {
  const entries = 'stream=height,pix_fmt,color_range,color_space';
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', entries, '-of', 'json', path];
  const [stream] = JSON.parse((await run('ffprobe', args)).stdout.toString()).streams;
  const isSd = stream.color_space === undefined && stream.height < 720;
  const isBt601 = isSd || ['smpte170m', 'bt470bg'].includes(stream.color_space);
  const isFull = stream.color_range === 'pc' || stream.pix_fmt === 'yuvj420p';
  return { matrix: isBt601 ? 'bt601' : 'bt709', range: isFull ? 'pc' : 'tv' };
}

/** Returns seconds from the flash to the tone; NaN if one of them is missing. */
export const lagOf = ({ flashAt, tone }: SeenPattern): number =>
  (tone?.at ?? Number.NaN) - (flashAt ?? Number.NaN);

/** Looks at the pattern in a video, in the colors that its tags say. */
export async function seePattern(path: string): Promise<SeenPattern> {
  const frames = await framesOf(path, await colorsOf(path));
  const size = PATTERN.width * PATTERN.height * 3;
  const count = Math.floor(frames.length / size);
  const frame = (index: number) => frames.subarray(index * size, (index + 1) * size);
  let flash = -1;
  for (let index = 0; index < count && flash < 0; index += 1) if (bandOf(frame(index)) > 128) flash = index;
  const length = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'format=duration',
    '-of',
    'csv=p=0',
    path,
  ]);
  const [early, late] = [frame(Math.min(50, count - 1)), frame(Math.max(0, count - 10))];
  const [patches, lastPatches] = [patchesOf(early), patchesOf(late)];
  return {
    ...{ patches, lastPatches },
    edges: Math.max(edgesOf(early, patches), edgesOf(late, lastPatches)),
    flashAt: flash < 0 ? null : flash / RATE,
    tone: await toneOf(path),
    seconds: Number(length.stdout.toString()),
  };
}

/** Looks at the patches of a JPEG. */
export async function seePatches(path: string): Promise<number[][]> {
  return patchesOf(await framesOf(path, { matrix: 'bt601', range: 'pc' }));
}
