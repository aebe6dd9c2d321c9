import { formatDuration } from '@/lib/billing/plans/shared/format';
import { estimateSeconds, fittingSeconds } from '@/lib/video/media/cost';
import { MediaError } from '@/lib/video/media/errors';
import type { MediaProbe } from '@/lib/video/media/probe';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { areFunctions, encodingSeconds, roundLength, stepSeconds } from './job-limits';
import { mediaSpeed } from './media-speed';
import { isFfmpegSlow } from './media-tool';

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
