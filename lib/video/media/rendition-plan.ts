import type { MediaProbe } from './probe';

export type RenditionPlan = 'copy' | 'copy-video' | 'transcode';

/** 1080p, landscape or portrait. */
const LONG_EDGE = 1920;
const SHORT_EDGE = 1080;

/**
 * Returns the cheapest plan for an MP4 that every browser plays. Copies 8-bit 4:2:0 H.264 up to 1080p, along with AAC
 * of up to two channels. Re-encodes everything else.
 */
export function planRendition({ video, audio }: Pick<MediaProbe, 'video' | 'audio'>): RenditionPlan {
  const fits =
    Math.max(video.width, video.height) <= LONG_EDGE && Math.min(video.width, video.height) <= SHORT_EDGE;
  if (!isPlainH264(video) || !fits) return 'transcode';
  return audio === null || (audio.codec === 'aac' && audio.channels <= 2) ? 'copy' : 'copy-video';
}

/** Returns whether a video's frames are what every browser plays. */
export function isPlainH264(video: MediaProbe['video']): boolean {
  return video.codec === 'h264' && ['yuv420p', 'yuvj420p'].includes(video.pixelFormat);
}

/** Returns the size that a video is encoded in: at most 1080p, and even, which 4:2:0 requires. */
export function outputSize({ width, height }: MediaProbe['video']): { width: number; height: number } {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const scale = Math.min(1, LONG_EDGE / long, SHORT_EDGE / short);
  const even = (edge: number) => Math.max(2, Math.round((edge * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
