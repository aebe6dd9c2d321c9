import { link, rm } from 'node:fs/promises';
import { colorTags, pictureFilters, toneMapOf } from './color';
import { MediaError } from './errors';
import { failureOf, runFfmpeg, runSuccessfully } from './ffmpeg';
import { inputOf } from './ffmpeg-run';
import type { MediaInput, MediaProbe } from './media-probe';
import { hashPackets } from './packet-hash';
import { probe } from './probe';
import { isPlainH264, outputSize, planRendition, type RenditionPlan } from './rendition-plan';

interface Rendition {
  /** What was actually done, which may be more than was planned. */
  plan: RenditionPlan;
  /** What was written. */
  probe: MediaProbe;
  /** Whether it's the file itself, or has every packet of its tracks. */
  isComplete: boolean;
}

/** A truncated file ends with half a packet, which must not be copied. */
const LENIENT = ['-fflags', '+genpts+discardcorrupt'];
/** Decoders know better when frames are shown than what generates missing times, as in AVI. */
export const DECODING = ['-fflags', '+discardcorrupt', '-err_detect', 'ignore_err'];
const MAX_VIDEO_BITS_PER_SECOND = 8_000_000;
/** What's tried after a plan that didn't work. */
const NEXT_PLAN: Record<RenditionPlan, RenditionPlan | null> = {
  keep: 'copy',
  copy: 'copy-video',
  'copy-video': 'transcode',
  transcode: null,
};
/** Failures that another plan wouldn't avoid. */
const NOT_THE_PLAN = new Set(['timed_out', 'disk_full', 'no_ffmpeg']);

/**
 * Writes a progressive MP4 with its index in front, H.264 (yuv420p) and AAC (at most stereo), without the source's
 * metadata. Frames keep their own times. If a plan doesn't produce a proper video, as with a truncated file, tries
 * the next more thorough one. A file that's such an MP4 already is the output itself, with its metadata.
 * @param maxSeconds the wall-clock time limit for everything together
 * @param options.replaces whether the output is to take the file's place if it can have all of its packets: a sound that
 * has to be encoded stays as a second track, which players don't play
 * @throws MediaError; `too_large` if the output would exceed its limit
 */
export async function makeRendition(
  file: MediaInput,
  output: string,
  maxSeconds: number,
  { replaces = false } = {},
): Promise<Rendition> {
  const deadline = Date.now() + maxSeconds * 1000;
  const tryFrom = async (plan: RenditionPlan): Promise<Rendition> => {
    try {
      if (plan === 'keep') return await keepFile(file, output, deadline);
      return await tryPlan(file, output, { plan, replaces, deadline });
    } catch (error) {
      await rm(output, { force: true });
      const next = NEXT_PLAN[plan];
      const isFinal = !next || !(error instanceof MediaError) || NOT_THE_PLAN.has(error.kind);
      if (isFinal) throw error;
      return tryFrom(next);
    }
  };
  return tryFrom(planRendition(file.source));
}

/**
 * Remuxes what browsers can already play (8-bit H.264, VP8, VP9, AV1), so that it can be played and seeked while the
 * transcode is pending: a copy in WebM or MP4 with its index in front. Returns null if no browser would play it.
 */
export async function makePlayableRemux(
  { tool, input, source, signal }: MediaInput,
  output: string,
  maxSeconds: number,
): Promise<{ contentType: 'video/webm' | 'video/mp4' } | null> {
  const container = planRemux(source);
  if (!container) return null;
  const muxing = container === 'webm' ? ['-cues_to_front', '1'] : ['-movflags', '+faststart'];
  await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    inputArgs: LENIENT,
    args: [...mapping(source), '-c', 'copy', ...muxing, '-f', container],
    output: { path: output },
    maxOutputBytes: copyBytes(source),
    maxSeconds,
    signal,
  });
  return { contentType: container === 'webm' ? 'video/webm' : 'video/mp4' };
}

function planRemux({ video, audio }: MediaProbe): 'webm' | 'mp4' | null {
  const sound = audio?.codec ?? '';
  if (['vp8', 'vp9', 'av1'].includes(video.codec) && ['', 'opus', 'vorbis'].includes(sound)) return 'webm';
  const inMp4 = isPlainH264(video) || ['vp9', 'av1'].includes(video.codec);
  return inMp4 && ['', 'aac', 'mp3', 'opus'].includes(sound) ? 'mp4' : null;
}

const secondsUntil = (deadline: number) => Math.max(0.1, (deadline - Date.now()) / 1000);

/** Takes a file as its own rendition. @throws MediaError if its first frames don't decode */
async function keepFile(file: MediaInput, output: string, deadline: number): Promise<Rendition> {
  await link(file.input, output);
  await expectFirstFramesToDecode({ ...file, input: output }, secondsUntil(deadline));
  return { plan: 'keep', probe: file.source, isComplete: true };
}

async function tryPlan(
  file: MediaInput,
  output: string,
  { plan, replaces, deadline }: { plan: Exclude<RenditionPlan, 'keep'>; replaces: boolean; deadline: number },
): Promise<Rendition> {
  const { tool, input, source, signal } = file;
  const limits = () => ({ maxSeconds: secondsUntil(deadline), signal });
  const mayReplace = replaces && plan !== 'transcode' && source.streams === (source.audio ? 2 : 1);
  const isSoundKept = mayReplace && plan === 'copy-video' && source.audio !== null;
  const maxOutputBytes = plan === 'transcode' ? transcodeBytes(source) : copyBytes(source);
  await runSuccessfully(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    inputArgs: plan === 'transcode' ? DECODING : LENIENT,
    args: [
      ...mapping(source),
      ...(plan === 'transcode' ? videoEncoding(source, mainEncoding(source)) : ['-c:v', 'copy']),
      ...(plan === 'copy' ? ['-c:a', 'copy'] : audioEncoding(source)),
      ...(isSoundKept ? ['-map', `0:${source.audio?.index}`, '-c:a:1', 'copy', '-disposition:a:1', '0'] : []),
      ...['-t', String(source.durationSeconds + 1), '-max_muxing_queue_size', '4096'],
      ...['-movflags', '+faststart', '-f', 'mp4'],
    ],
    output: { path: output },
    toneMap: plan === 'transcode' ? toneMapOf(source.video) : null,
    maxOutputBytes,
    ...limits(),
  });

  const made = await probe(tool, output, limits());
  const isShort = made.durationSeconds < source.durationSeconds * 0.98 - 0.5;
  if (isShort && made.sizeBytes > maxOutputBytes * 0.97) throw new MediaError('too_large', 'Cut off by -fs.');
  // A transcode loses what it can't decode, but a short copy may only have been cut off by its container.
  if (isShort && plan !== 'transcode')
    throw new MediaError('failed', `The copy lasts ${made.durationSeconds} s.`);
  await expectFirstFramesToDecode({ tool, input: output, source: made, signal }, limits().maxSeconds);
  const copy = { ...file, input: output, source: made };
  const isComplete =
    mayReplace && (await hasSamePackets(file, copy, isSoundKept ? 'a:1' : 'a:0', limits().maxSeconds));
  return { plan, probe: made, isComplete };
}

/** Returns whether a copy has every packet of its source's picture and sound. @param sound the copy's track */
async function hasSamePackets(
  file: MediaInput,
  copy: MediaInput,
  sound: string,
  maxSeconds: number,
): Promise<boolean> {
  const { video, audio } = file.source;
  const wanted = await hashPackets(file, [video.index, ...(audio ? [audio.index] : [])], maxSeconds);
  return wanted === (await hashPackets(copy, ['v:0', ...(audio ? [sound] : [])], maxSeconds));
}

async function expectFirstFramesToDecode(
  { tool, input, source, signal }: MediaInput,
  maxSeconds: number,
): Promise<void> {
  let decoded = 0;
  const result = await runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: inputOf({ input, source }),
    args: ['-map', '0:v:0', '-frames:v', '10', '-fps_mode', 'passthrough', '-f', 'framecrc', 'pipe:1'],
    maxSeconds,
    signal,
    onStdoutLine: (line) => {
      if (/^0,/.test(line)) decoded += 1;
    },
  });
  if (
    failureOf(result) ||
    decoded < Math.min(source.video.frames, 10) ||
    /error|invalid/i.test(result.stderr)
  ) {
    throw new MediaError('failed', `Only ${decoded} frames decode. ${result.stderr}`);
  }
}

const mainEncoding = ({ video }: MediaProbe): PictureEncoding => ({
  ...outputSize(video),
  crf: 23,
  maxBitsPerSecond: MAX_VIDEO_BITS_PER_SECOND,
});

/** How a picture is encoded. */
export interface PictureEncoding {
  width: number;
  height: number;
  /** The quality of x264; a higher one is worse. */
  crf: number;
  maxBitsPerSecond: number;
  /** Filters that come first. */
  filters?: string[];
}

/**
 * Returns the options of a picture in H.264, by x264 veryfast. A key frame every four seconds lets a player jump to a word
 * right away, and the bit rate cap keeps noisy videos playable on a phone's connection. JavaScript computes the size;
 * ffmpeg pads only if the size changes midway, which happens when a phone is rotated during a recording. Fields of
 * interlaced frames are joined before anything is scaled.
 */
export function videoEncoding({ video }: MediaProbe, encoding: PictureEncoding): string[] {
  const { width, height, crf, maxBitsPerSecond, filters = [] } = encoding;
  const fit = `w=${width}:h=${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const pad = `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`;
  const tags = colorTags(video);
  return [
    '-vf',
    [
      ...[...filters, 'scale=iw*sar:ih,setsar=1', ...pictureFilters(video, fit, 'video')],
      ...[pad, 'setsar=1', tags.filter],
    ].join(','),
    ...tags.args,
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf), '-fps_mode', 'vfr'],
    // By default, times are rounded to those of a constant rate, and a picture may be half a frame late.
    ...['-enc_time_base', '1/90000'],
    ...['-maxrate', String(maxBitsPerSecond), '-bufsize', String(2 * maxBitsPerSecond)],
    ...['-force_key_frames', 'expr:gte(t,n_forced*4)'],
  ];
}

/** Returns the audio options. `async=1` fills gaps with silence, so that audio stays in sync after lost packets. */
export function audioEncoding({ audio }: MediaProbe, bitsPerSecond = 128_000): string[] {
  if (!audio) return [];
  const rate = audio.sampleRate > 48_000 ? ['-ar:a:0', '48000'] : [];
  const channels = ['-ac:a:0', String(Math.min(2, Math.max(1, audio.channels)))];
  const bits = ['-b:a:0', String(bitsPerSecond)];
  return ['-c:a:0', 'aac', ...bits, ...channels, ...rate, '-filter:a:0', 'aresample=async=1'];
}

/** Returns the options that choose the picture and the sound that are played. */
export function mapping({ video, audio }: MediaProbe): string[] {
  return ['-map', `0:${video.index}`, ...(audio ? ['-map', `0:${audio.index}`] : [])];
}

/** Returns a copy's size limit, with some space for the index and for AAC instead of a more efficient codec. */
function copyBytes(source: MediaProbe): number {
  return Math.ceil(source.sizeBytes * 1.1 + source.durationSeconds * 25_000 + 2_000_000);
}

function transcodeBytes(source: MediaProbe): number {
  return Math.ceil(
    ((MAX_VIDEO_BITS_PER_SECOND + 200_000) / 8) * (source.durationSeconds + 2) * 1.2 + 2_000_000,
  );
}
