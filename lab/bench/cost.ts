import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runFfmpeg } from '@/lib/video/media/ffmpeg';
import { type FfmpegTool, locateFfmpeg, locateWasm } from '@/lib/video/media/locate-ffmpeg';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { COSTS } from '@/lib/video/media/rendition-plan';
import { measureSpeed } from '@/lib/video/media/speed';
import type { Benchmark } from './bench';
import { phoneClips, SOUND_SECONDS, soundClip } from './clips';
import { type Measurement, measurement } from './measurements';
import { cpuSeconds } from './processes';

/** What another core may take of what the table says: limits are scaled by a core's measured speed. */
const BAR = 2;

const million = ({ video }: MediaProbe) => (video.width * video.height * video.frames) / 1e6;

/** Returns the CPU seconds of decoding a file, or of only starting ffmpeg on it. */
const decoding = (tool: FfmpegTool, path: string, folder: string, args: string[] = []) =>
  cpuSeconds(async () => {
    const run = { kind: 'ffmpeg', input: { path }, maxSeconds: 300, cwd: folder } as const;
    const { code, stderr } = await runFfmpeg(tool, { ...run, args: [...args, '-f', 'null', '-'] });
    if (code !== 0) throw new Error(stderr);
  });

/** Measures a kind of ffmpeg with clips by their codecs, and with sound. */
async function measureTool(
  tool: FfmpegTool,
  clips: Record<string, string>,
  sound: string,
  folder: string,
): Promise<Measurement[]> {
  const costs = COSTS[tool.kind];
  const found: Measurement[] = [];
  const add = (name: string, seconds: number, limit: number) =>
    found.push(measurement(name, { unit: 'CPU ms', ours: seconds * 1000, limit: limit * 1000, bar: BAR }));
  for (const [codec, path] of Object.entries(clips)) {
    const expected = costs.decode[codec];
    if (expected === undefined) continue;
    const source = await probe(tool, path);
    const start = await decoding(tool, path, folder, ['-frames:v', '1']);
    const decoded = (await decoding(tool, path, folder)) - start;
    add(`${tool.kind}: decode a megapixel of ${codec}`, decoded / million(source), expected);
    if (codec !== 'hevc') continue;
    const making = (of: MediaProbe) =>
      cpuSeconds(async () => {
        await makeRendition({ tool, input: path, source: of }, join(folder, 'made.mp4'), 300);
      });
    const made = await making(source);
    const color = { ...source.video.color, transfer: 'arib-std-b67' };
    const mapped = await making({ ...source, video: { ...source.video, color } });
    add(`${tool.kind}: map a megapixel of HDR`, (mapped - made) / million(source), costs.toneMap);
    // Checking what was made starts ffmpeg twice.
    add(`${tool.kind}: encode a megapixel`, (made - decoded - 3 * start) / million(source), costs.encode);
  }
  const start = await decoding(tool, sound, folder, ['-frames:a', '1']);
  const encoded = await decoding(tool, sound, folder, ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']);
  add(`${tool.kind}: encode a second of sound`, (encoded - start) / SOUND_SECONDS, costs.sound);
  const slowness = 1 / (await measureSpeed(tool, folder));
  const trial = { unit: 'times', ours: slowness, limit: 1, bar: BAR };
  return [...found, measurement(`${tool.kind}: the trial of a core’s speed`, trial)];
}

/** CPU of what makes a rendition expensive, beside the table that limits and estimates are computed from. */
export const cost: Benchmark = {
  linuxOnly: true,
  async measure({ folder }) {
    const clips = await phoneClips(folder);
    const sound = await soundClip(folder);
    const figures: Measurement[] = [];
    for (const tool of [await locateFfmpeg({ sandbox: 'off' }), await locateWasm('off')]) {
      if (!tool) continue;
      const work = mkdtempSync(join(folder, 'cost-'));
      figures.push(...(await measureTool(tool, clips, sound, work)));
      rmSync(work, { recursive: true });
    }
    return figures;
  },
};
