import { pictureFilters, toneMapOf } from './color';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput, MediaProbe } from './media-probe';
import { scaleEvenly } from './rendition-plan';

/** The mean luma (0 to 255, limited range) below which a frame counts as black. */
const DARK = 30;
/** The wall-clock time limit for all frames that are tried. */
const MAX_SECONDS = 60;

/**
 * Writes a JPEG that fits in 640 × 640, from about a tenth of the way into the video. If that's black (a lens cap, a
 * fade), tries later and earlier times, and uses the brightest.
 * @throws MediaError
 */
export async function makeThumbnail(file: MediaInput, output: string): Promise<void> {
  const length = file.source.durationSeconds;
  const first = Math.min(Math.max(length * 0.1, 1), length / 2, 60);
  const deadline = Date.now() + MAX_SECONDS * 1000;
  const take = (at: number) => captureFrame(file, output, at, Math.max(0.1, (deadline - Date.now()) / 1000));

  let best = { at: -1, luma: -1 };
  for (const at of [first, length * 0.4, length * 0.75, 0]) {
    const luma = await take(at);
    if (luma >= DARK) return;
    if (luma > best.luma) best = { at, luma };
  }
  if (best.at < 0) throw new MediaError('no_video', 'No frame could be decoded.');
  if (best.at > 0) await take(best.at);
}

/** Containers without an index. Seeking leads to any frame, and those before the next key frame would come out gray. */
const WITHOUT_INDEX = new Set(['mpegts', 'mpeg']);
const decodedFrames = ({ container }: MediaProbe) =>
  WITHOUT_INDEX.has(container) ? ['-skip_frame', 'nokey'] : [];

/** Writes the most representative of the next frames, and returns its mean luma, or -1 if there's no frame. */
async function captureFrame(
  { tool, input, source, signal }: MediaInput,
  output: string,
  at: number,
  maxSeconds: number,
): Promise<number> {
  const longest = Math.max(source.video.width, source.video.height);
  const { width, height } = scaleEvenly(source.video, 640 / longest);
  const scaling = [...pictureFilters(source.video, `w=${width}:h=${height}`, 'jpeg'), 'setsar=1'].join(',');
  const result = await runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    toneMap: toneMapOf(source.video),
    inputArgs: at > 0 ? ['-ss', at.toFixed(3), ...decodedFrames(source)] : [],
    args: [
      ...['-map', `0:${source.video.index}`, '-frames:v', '1', '-fps_mode', 'passthrough'],
      ...['-vf', `${scaling},thumbnail=n=12,signalstats,metadata=print:key=lavfi.signalstats.YAVG`],
      ...['-c:v', 'mjpeg', '-q:v', '4', '-flags', '+bitexact', '-f', 'mjpeg'],
    ],
    output: { path: output },
    maxSeconds,
    maxOutputBytes: 5_000_000,
    logLevel: 'info',
    signal,
  });
  const luma = /lavfi\.signalstats\.YAVG=([\d.]+)/.exec(result.stderr)?.[1];
  if (luma) return Number(luma);
  const failure = failureOf(result);
  if (failure && failure.kind !== 'unreadable' && failure.kind !== 'failed') throw failure;
  return -1;
}
