import { dirname } from 'node:path';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import type { FfmpegTool } from './locate-ffmpeg';
import type { MediaProbe } from './probe';

/** The mean luma (0 to 255, limited range) below which a frame counts as black. */
const DARK = 30;

/**
 * Writes a JPEG that fits in 640 × 640, from about a tenth of the way into the video. If that's black (a lens cap, a
 * fade), tries later and earlier times, and uses the brightest.
 * @throws MediaError
 */
export async function makeThumbnail(
  tool: FfmpegTool,
  input: string,
  output: string,
  source: MediaProbe,
  options: { maxSeconds?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const length = source.durationSeconds;
  const first = Math.min(Math.max(length * 0.1, 1), length / 2, 60);
  const deadline = Date.now() + (options.maxSeconds ?? 60) * 1000;
  const take = async (at: number) => {
    const maxSeconds = Math.max(0.1, (deadline - Date.now()) / 1000);
    return captureFrame(tool, input, output, { at, source, maxSeconds, signal: options.signal });
  };

  let best = { at: -1, luma: -1 };
  for (const at of [first, length * 0.4, length * 0.75, 0]) {
    const luma = await take(at);
    if (luma >= DARK) return;
    if (luma > best.luma) best = { at, luma };
  }
  if (best.at < 0) throw new MediaError('no_video', 'No frame could be decoded.');
  if (best.at > 0) await take(best.at);
}

/** Writes the most representative of the next frames, and returns its mean luma, or -1 if there's no frame. */
async function captureFrame(
  tool: FfmpegTool,
  input: string,
  output: string,
  options: { at: number; source: MediaProbe; maxSeconds: number; signal?: AbortSignal | undefined },
): Promise<number> {
  const { at, source, maxSeconds, signal } = options;
  const result = await runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: { path: input },
    inputArgs: at > 0 ? ['-ss', at.toFixed(3)] : [],
    args: [
      ...['-map', `0:${source.video.index}`, '-frames:v', '1', '-fps_mode', 'passthrough'],
      ...[
        '-vf',
        `${fitIn640(source.video)},thumbnail=n=12,signalstats,metadata=print:key=lavfi.signalstats.YAVG`,
      ],
      ...['-c:v', 'mjpeg', '-q:v', '4', '-flags', '+bitexact', '-f', 'mjpeg'],
    ],
    output: { path: output },
    maxSeconds,
    maxOutputBytes: 5_000_000,
    cwd: dirname(output),
    logLevel: 'info',
    signal,
  });
  const luma = /lavfi\.signalstats\.YAVG=([\d.]+)/.exec(result.stderr)?.[1];
  if (luma) return Number(luma);
  const failure = failureOf(result);
  if (failure && failure.kind !== 'unreadable' && failure.kind !== 'failed') throw failure;
  return -1;
}

function fitIn640({ width, height }: MediaProbe['video']): string {
  const scale = 640 / Math.max(width, height);
  const edge = (length: number) => Math.max(2, Math.round((length * scale) / 2) * 2);
  return `scale=${edge(width)}:${edge(height)},setsar=1,format=yuvj420p`;
}
