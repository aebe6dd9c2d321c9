import { toneMapOf } from './color';
import type { FfmpegTool } from './locate-ffmpeg';
import type { AudioStream, MediaProbe } from './media-probe';

/** What becomes of a file: it's played itself, or its tracks are copied or encoded into another. */
export type RenditionPlan = 'keep' | 'copy' | 'copy-video' | 'transcode';

/** 1080p, landscape or portrait. */
export const LONG_EDGE = 1920;
export const SHORT_EDGE = 1080;

/** What matters of a file for what becomes of it. */
type Planned = Pick<
  MediaProbe,
  'container' | 'video' | 'audio' | 'firstSound' | 'unreadableSound' | 'streamable'
>;

/**
 * Returns the cheapest plan for an MP4 that every browser plays. Copies progressive 8-bit 4:2:0 H.264 up to 1080p, along
 * with AAC of up to two channels, or keeps the file if it's such an MP4 already. Re-encodes everything else.
 */
export function planRendition(source: Planned): RenditionPlan {
  const { video, audio } = source;
  const fits =
    Math.max(video.width, video.height) <= LONG_EDGE && Math.min(video.width, video.height) <= SHORT_EDGE;
  // AVI has no times for frames that are shown in another order than they're stored in.
  if (!isPlainH264(video) || !fits || source.container === 'avi') return 'transcode';
  if (audio !== null && !isPlainAac(audio)) return 'copy-video';
  return source.streamable && playsFirstSound(source) ? 'keep' : 'copy';
}

/** Returns whether the sound that's to be played is the one that browsers play by themselves: the first. */
export function playsFirstSound({
  audio,
  firstSound,
  unreadableSound,
}: Pick<MediaProbe, 'audio' | 'firstSound' | 'unreadableSound'>): boolean {
  return (audio?.index ?? null) === firstSound && unreadableSound === null;
}

/** Returns whether a video's frames are what every browser plays. */
export function isPlainH264(video: MediaProbe['video']): boolean {
  const isEightBit = ['yuv420p', 'yuvj420p'].includes(video.pixelFormat);
  const isPlain = isEightBit && video.scan !== 'interlaced' && toneMapOf(video) === null;
  return video.codec === 'h264' && isPlain && !video.reconfigured;
}

/** The profiles of AAC that every browser plays, by ffmpeg's names; recorders that are still running have none. */
const AAC_PROFILES = ['', 'LC', 'HE-AAC', 'HE-AACv2'];

const isPlainAac = ({ codec, profile, channels }: AudioStream) =>
  codec === 'aac' && AAC_PROFILES.includes(profile) && channels <= 2;

/** Returns the size that a video is encoded in: at most 1080p. */
export function outputSize({ width, height }: MediaProbe['video']): { width: number; height: number } {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  return scaleEvenly({ width, height }, Math.min(1, LONG_EDGE / long, SHORT_EDGE / short));
}

/** The shorter edge of a small rendition. */
const SMALL_EDGE = 480;

/** Returns the size of a small rendition: at most 480 lines. */
export function smallSize({ width, height }: MediaProbe['video']): { width: number; height: number } {
  return scaleEvenly({ width, height }, Math.min(1, SMALL_EDGE / Math.min(width, height)));
}

/** Returns a size in even numbers of pixels, which 4:2:0 requires, times `scale`. */
export function scaleEvenly({ width, height }: { width: number; height: number }, scale: number) {
  const even = (edge: number) => Math.max(2, Math.round((edge * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}

type Kind = FfmpegTool['kind'];

/** How fast the ffmpeg somewhere is: its kind, and its speed there beside the core that {@link COSTS} were measured on. */
export interface FfmpegSpeed {
  kind: Kind;
  /** 1 is as fast, 2 takes half the time. */
  speed: number;
}

/** What a kind of ffmpeg costs, in seconds of one core. */
interface Costs {
  /** Decoding a million pixels, by codec. */
  decode: Record<string, number>;
  /** Decoding a million pixels of any other codec. */
  decodeOther: number;
  /** Scaling, and encoding with x264 veryfast, for a million pixels of the output. */
  encode: number;
  /** Mapping HDR to ordinary colors, for a million pixels of the output. */
  toneMap: number;
  /** Decoding a second of sound and encoding it as AAC. */
  sound: number;
  /** Anything: starting, copying, and checking what was made. */
  start: number;
}

/**
 * Measured as `npm run lab -- bench cost` does, on one core of a server (AMD EPYC) in November 2026, with noisy
 * 1080p at 30 frames a second as phones record it indoors (H.264 at 17 Mbit/s, HEVC at 9, the others at 5). Without
 * noise, decoding takes up to a third less, and encoding a quarter. The WebAssembly build can't decode AV1.
 */
export const COSTS: Record<Kind, Costs> = {
  native: {
    decode: { h264: 0.0018, hevc: 0.005, vp8: 0.0014, vp9: 0.0047, av1: 0.005 },
    decodeOther: 0.005,
    encode: 0.022,
    toneMap: 0.027,
    sound: 0.02,
    start: 1,
  },
  wasm: {
    decode: { h264: 0.0034, hevc: 0.0165, vp8: 0.0055, vp9: 0.011 },
    decodeOther: 0.0165,
    encode: 0.1,
    toneMap: 0.15,
    sound: 0.035,
    start: 4,
  },
};

/** What matters of a video for how long it takes. */
type Measured = Planned & Pick<MediaProbe, 'durationSeconds'>;

/** Returns how many seconds making a rendition takes at a speed. What browsers can play as it is takes nearly none. */
export function estimateSeconds(source: Measured, { kind, speed }: FfmpegSpeed): number {
  const costs = COSTS[kind];
  const plan = planRendition(source);
  const isSoundKept = plan === 'keep' || plan === 'copy' || !source.audio;
  const sound = isSoundKept ? 0 : costs.sound * source.durationSeconds;
  const picture = plan === 'transcode' ? pictureSeconds(source, costs, outputSize(source.video)) : 0;
  return (costs.start + sound + picture) / speed;
}

/** Returns how many seconds making a small rendition takes at a speed. Frames that it leaves out count as if they stayed. */
export function estimateSmallSeconds(source: Measured, { kind, speed }: FfmpegSpeed): number {
  const costs = COSTS[kind];
  const sound = source.audio ? costs.sound * source.durationSeconds : 0;
  return (costs.start + sound + pictureSeconds(source, costs, smallSize(source.video))) / speed;
}

function pictureSeconds(
  { video }: Measured,
  { decode, decodeOther, encode, toneMap }: Costs,
  made: { width: number; height: number },
): number {
  const million = (size: { width: number; height: number }) => (size.width * size.height) / 1e6;
  const perPixelMade = encode + (toneMapOf(video) ? toneMap : 0);
  const perFrame = million(video) * (decode[video.codec] ?? decodeOther) + million(made) * perPixelMade;
  return perFrame * video.frames;
}

/** Returns how many seconds of a video, such as one that lasts this long, can be made within a time. */
export function fittingSeconds(source: Measured, at: FfmpegSpeed, seconds: number): number {
  const start = COSTS[at.kind].start / at.speed;
  const perSecond = (estimateSeconds(source, at) - start) / source.durationSeconds;
  return Math.max(0, (seconds - start) / perSecond);
}

/** A second as phones record it by default: HEVC, 1080p, 30 frames, with sound. */
const PHONE_SECOND: Measured = {
  container: 'mov',
  durationSeconds: 1,
  video: {
    index: 0,
    codec: 'hevc',
    pixelFormat: 'yuv420p',
    width: 1920,
    height: 1080,
    frames: 30,
    keyFrameGap: 1,
    reconfigured: false,
    scan: 'progressive',
    color: { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' },
  },
  audio: { index: 1, codec: 'aac', profile: 'LC', channels: 2, sampleRate: 48_000 },
  firstSound: 1,
  unreadableSound: null,
  streamable: false,
};

/** Returns how long a phone's video may be to be made within a time, both in seconds. */
export const fittingPhoneSeconds = (at: FfmpegSpeed, seconds: number): number =>
  fittingSeconds(PHONE_SECOND, at, seconds);
