import { randomUUID } from 'node:crypto';
import { formatDuration } from '@/lib/billing/plans/shared/format';
import { log } from '@/lib/foundation/log';
import { MediaError } from '@/lib/video/media/errors';
import type { FfmpegTool } from '@/lib/video/media/locate-ffmpeg';
import type { MediaProbe } from '@/lib/video/media/media-probe';
import {
  estimateSeconds,
  estimateSmallSeconds,
  type FfmpegSpeed,
  fittingSeconds,
  planRendition,
} from '@/lib/video/media/rendition-plan';
import { measureSpeed } from '@/lib/video/media/speed';
import { withStepFolder } from './entry-files';
import { areFunctions, encodingSeconds, roundLength, stepSeconds } from './job-limits';
import { ffmpegTool, isFfmpegSlow } from './media-tool';
import { type MediaReport, readMediaReport, reportMedia } from './process-reports';

/** What each ffmpeg was measured at in this process. */
const measured = new WeakMap<FfmpegTool, Promise<number>>();

/** Returns an ffmpeg's speed here. It's measured once, and taken for the usual one if it can't be. */
function speedHere(tool: FfmpegTool): Promise<number> {
  const known = measured.get(tool);
  if (known) return known;
  const speed = withStepFolder(randomUUID(), (folder) => measureSpeed(tool, folder)).catch(
    (error: unknown) => {
      log.warn({ error }, 'media: couldn’t measure how fast ffmpeg is here');
      return 1;
    },
  );
  measured.set(tool, speed);
  return speed;
}

/** Returns what functions with the same ffmpeg reported within a day, if any did. */
async function reportedFor({ describe }: FfmpegTool): Promise<MediaReport | null> {
  const report = await readMediaReport();
  return report?.isRecent && report.ffmpeg === describe ? report : null;
}

async function measureAndReport(tool: FfmpegTool, reported: MediaReport | null): Promise<FfmpegSpeed> {
  const here = { ffmpeg: tool.describe, kind: tool.kind, speed: await speedHere(tool) };
  // Whatever made a measurement worse, such as another job in the same instance, passes.
  if (reported && reported.speed >= here.speed) return reported;
  await reportMedia(here);
  return here;
}

/**
 * Returns how fast videos are encoded: as the best function with this ffmpeg has measured within a day, this one included.
 * @throws MediaError `no_ffmpeg`
 */
export async function mediaSpeed(): Promise<FfmpegSpeed> {
  const tool = await ffmpegTool();
  return measureAndReport(tool, await reportedFor(tool));
}

/**
 * Reports this function's ffmpeg to those that have none, unless one has within a day: measuring takes a second, and
 * functions start often.
 * @throws MediaError `no_ffmpeg`
 */
export async function shareMediaSpeed(): Promise<void> {
  const tool = await ffmpegTool();
  if (!(await reportedFor(tool))) await measureAndReport(tool, null);
}

/**
 * Returns the error of a video that takes longer than a step may.
 * @param advice what to do about it, in a sentence
 */
export function tooSlow(detail = '', advice = ''): MediaError {
  const error = new MediaError('too_slow', detail);
  const cause = isFfmpegSlow() ? 'This site prepares videos with a slow build of ffmpeg.' : '';
  const sentences = [error.message, cause, advice].filter((sentence) => sentence !== '');
  return new MediaError('too_slow', detail, sentences.join(' '));
}

/** Returns whether the final video will take long, so that a remux is worth it. */
export const needsTranscode = (source: MediaProbe) => planRendition(source) === 'transcode';

/**
 * Throws for a video that would be encoded until the function's time is up. Where jobs may take hours, one is always
 * tried.
 * @throws MediaError `too_slow`, with how long a video like it may be
 */
export async function assertFitsStep(source: MediaProbe): Promise<void> {
  if (!areFunctions() || !needsTranscode(source)) return;
  const at = await mediaSpeed();
  const needed = estimateSeconds(source, at);
  if (needed <= stepSeconds()) return;
  const longest = roundLength(fittingSeconds(source, at, encodingSeconds()));
  const detail = `estimated at ${Math.round(needed)} s of ${stepSeconds()}, by ${at.kind} at ${at.speed.toFixed(2)}`;
  throw tooSlow(detail, `Videos like this one can be up to ${formatDuration(longest)} long.`);
}

/** Returns whether a small rendition can be encoded within a step. Where jobs may take hours, one is always tried. */
export async function smallFitsStep(source: MediaProbe): Promise<boolean> {
  return !areFunctions() || estimateSmallSeconds(source, await mediaSpeed()) <= encodingSeconds();
}
