import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { workFolder } from '@/test/media/ffmpeg-tools';
import { TONE_MAP_FILE, type ToneMap } from './color';
import { toneMapped, toneMapTable } from './tone-map';

/** Coded red, green, and blue, of 1023: grays, skin, foliage, sky, a lamp. */
const COLORS = [
  [100, 100, 100],
  [300, 300, 300],
  [510, 510, 510],
  [767, 767, 767],
  [1023, 1023, 1023],
  [614, 460, 409],
  [205, 614, 307],
  [307, 307, 716],
  [800, 700, 400],
] as const;
const SIZE = 32;

/** Runs the colors through a filter of the machine's ffmpeg. @returns red, green, and blue of each, of 255 */
async function filtered(kind: ToneMap, filter: string): Promise<number[][]> {
  const folder = workFolder();
  const plane = (channel: 0 | 1 | 2) =>
    Buffer.concat(
      COLORS.map((color) => Buffer.from(new Uint16Array(SIZE * SIZE).fill(color[channel]).buffer)),
    );
  await writeFile(join(folder, 'in.raw'), Buffer.concat([plane(1), plane(2), plane(0)]));
  await writeFile(join(folder, TONE_MAP_FILE), toneMapTable(kind));
  const transfer = { hlg: 'arib-std-b67', pq: 'smpte2084', bt2020: 'bt709' }[kind];
  const given = `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=gbr:range=pc`;
  const size = `${SIZE}x${SIZE * COLORS.length}`;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gbrp10le', '-s', size, '-i', 'in.raw'];
  const output = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'out.raw'];
  const args = ['-v', 'error', '-y', ...input, '-vf', `${given},${filter}`, ...output];
  await promisify(execFile)('ffmpeg', args, { cwd: folder });
  const pixels = await readFile(join(folder, 'out.raw'));
  return COLORS.map((_, index) => [...pixels.subarray((index + 0.5) * SIZE * SIZE * 3).subarray(0, 3)]);
}

const off = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));

const peak = 1000 / 203;
const tonemap = `zscale=t=linear:npl=203,format=gbrpf32le,tonemap=mobius:desat=0:peak=${peak}`;
const toVideo = 'zscale=p=bt709:t=bt709:r=pc,format=gbrp';
const REFERENCE: Record<ToneMap, string> = {
  hlg: `${tonemap},${toVideo}`,
  pq: `${tonemap},${toVideo}`,
  bt2020: toVideo,
};

it.each(['hlg', 'pq', 'bt2020'] as const)(
  'the table for %s says what mobius between two zscale says',
  async (kind) => {
    const wanted = await filtered(kind, REFERENCE[kind]);
    const made = await filtered(kind, `lut3d=${TONE_MAP_FILE}:interp=tetrahedral`);
    expect(wanted).toHaveLength(COLORS.length);
    for (const [index, color] of COLORS.entries()) {
      expect(off(made[index] ?? [], wanted[index] ?? [255])).toBeLessThan(7);
      const exact = toneMapped(
        kind,
        color.map((value) => value / 1023),
      ).map((value) => value * 255);
      expect(off(exact, wanted[index] ?? [])).toBeLessThan(3);
    }
  },
);

it('keeps black black, and white white', () => {
  for (const kind of ['hlg', 'pq', 'bt2020'] as const) {
    expect(off(toneMapped(kind, [0, 0, 0]), [0, 0, 0])).toBeLessThan(0.01);
    expect(off(toneMapped(kind, [1, 1, 1]), [1, 1, 1])).toBeLessThan(0.01);
  }
});
