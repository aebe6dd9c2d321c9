import type { DisplayMatrix } from '../display-matrix';
import { patternClip } from './encode-pattern';

/** What becomes of a file of the corpus. */
export interface CorpusClip {
  /** Its file's name: the container's ending, and what's in it. */
  name: string;
  make: () => Promise<string>;
  /** Their names in `codecs.ts`. */
  picture: string;
  sound: string | null;
  plan: 'copy' | 'copy-video' | 'transcode';
  /** Whether the sound is heard; by default, it is. */
  isMute?: boolean;
  /** Which tone map the picture's colors go through. */
  toneMap?: 'hlg' | 'pq' | 'bt2020';
  /** How far colors may be off, of 255, where the format itself can't keep them: 4 bits of brightness, or palettes. */
  tolerance?: number;
  /** How long its packets say that it is, in seconds, where only a decoder knows how long the last one is. */
  saidSeconds?: number;
  /** How long it plays, and when its band flashes and its tone sounds, in seconds; by default, as the pattern does. */
  seconds?: number;
  flashAt?: number;
  toneAt?: number;
  /** The size that it's made in, as displayed. */
  size?: { width: number; height: number };
  /** The matrix of what's made. */
  matrix?: DisplayMatrix;
}

type Expected = Omit<CorpusClip, 'name' | 'make' | 'picture' | 'sound'>;

/** A clip by its picture and its sound, both from `codecs.ts`. */
function clip(ending: string, picture: string, sound: string | null, expected: Expected): CorpusClip {
  const name = `${picture}_${sound ?? 'mute'}.${ending}`;
  const make = () => patternClip(`corpus-${name}`, { picture, sound });
  return { name, make, picture, sound, isMute: sound === null, ...expected };
}

const COPY = { plan: 'copy' } as const;
const COPY_VIDEO = { plan: 'copy-video' } as const;
const ENCODE = { plan: 'transcode' } as const;
const rows = (ending: string, expected: Expected, pairs: string[]): CorpusClip[] =>
  pairs.map((pair) => {
    const [picture = '', sound = ''] = pair.split(' ');
    return clip(ending, picture, sound === '-' ? null : sound, expected);
  });

/** Each container, picture, and sound that's played, at least once. */
export const CORPUS: CorpusClip[] = [
  ...rows('mp4', COPY, [
    'h264 aac',
    'h264 -',
    'h264-untagged aac',
    'h264-untagged-hd aac',
    'h264-full aac',
    'h264-5 aac',
  ]),
  ...rows('mp4', COPY_VIDEO, [
    'h264 aac-main',
    'h264 aac-5.1',
    'h264 ac3',
    'h264 eac3',
    'h264 alac',
    'h264 mp3',
    'h264 opus',
  ]),
  ...rows('mp4', ENCODE, [
    'h264-10 aac',
    'h264-422 aac',
    'h264-422-10 aac',
    'h264-444 aac',
    'h264-rgb aac',
    'h264-4k aac',
  ]),
  ...rows('mp4', ENCODE, [
    'h264-interlaced aac',
    'h264-bff aac',
    'hevc aac',
    'hevc-10 aac',
    'hevc-422-10 aac',
    'hevc-444 aac',
    'hevc-12 aac',
  ]),
  ...rows('mp4', ENCODE, [
    'hevc-full aac',
    'hevc-bt601 aac',
    'hevc aac-96',
    'av1 aac',
    'av1-10 opus',
    'vp9 aac',
    'mpeg4 aac',
    'mpeg2 aac',
    'mjpeg aac',
    'mpeg1 mp3',
  ]),
  ...rows('mp4', { ...ENCODE, toneMap: 'hlg', tolerance: 6 }, ['hevc-hlg aac', 'h264-hlg aac']),
  ...rows('mp4', { ...ENCODE, toneMap: 'pq', tolerance: 6 }, ['hevc-pq aac', 'av1-pq aac']),
  ...rows('mp4', { ...ENCODE, toneMap: 'bt2020', tolerance: 6 }, ['hevc-bt2020 aac']),
  ...rows('mov', COPY, ['h264 aac']),
  ...rows('mov', COPY_VIDEO, ['h264 alac', 'h264 ac3', 'h264 adpcm_ima_qt']),
  ...rows(
    'mov',
    COPY_VIDEO,
    [
      'u8',
      's16le',
      's16be',
      's24le',
      's24be',
      's32le',
      's32be',
      'f32le',
      'f32be',
      'f64le',
      'mulaw',
      'alaw',
    ].map((kind) => `h264 pcm_${kind}`),
  ),
  ...rows('mov', ENCODE, [
    'prores pcm_s24le',
    'prores-4444 pcm_s24le',
    'dnxhd pcm_s16le',
    'mjpeg pcm_s16be',
    'mjpeg-422 pcm_u8',
    'dv pcm_s16be',
    'hevc ac3',
    'png -',
    'qtrle pcm_s16be',
    'jpeg2000 pcm_s16le',
    'cfhd pcm_s16le',
    'v210 pcm_s16le',
    'uncompressed pcm_s16le',
    'mpeg2-422 pcm_s24le',
  ]),
  ...rows('mov', { ...ENCODE, tolerance: 12 }, ['hap pcm_s16le', 'svq1 pcm_s16be', 'cinepak pcm_s16be']),
  ...rows('avi', ENCODE, [
    'h264 mp3',
    'mpeg4 mp3',
    'xvid ac3',
    'msmpeg4v2 mp3',
    'msmpeg4 mp3',
    'mjpeg pcm_u8',
    'mjpeg-422 pcm_s16le',
    'dv pcm_s16le',
    'huffyuv pcm_s16le',
    'ffvhuff pcm_s24le',
    'ffv1 pcm_s16le',
    'utvideo pcm_s16le',
    'magicyuv pcm_s16le',
    'mpeg4 adpcm_ms',
    'mpeg4 adpcm_ima_wav',
    'mpeg4 adpcm_yamaha',
    'mpeg4 mp2',
    'mpeg4 pcm_mulaw',
    'mpeg2 mp2',
    'wmv2 wmav2',
    'h263 pcm_alaw',
  ]),
  ...rows('avi', ENCODE, ['mjpeg gsm']),
  ...rows('ts', COPY, ['h264 aac']),
  ...rows('ts', COPY_VIDEO, ['h264 ac3', 'h264 mp2', 'h264 s302m']),
  ...rows('ts', ENCODE, ['hevc aac', 'mpeg2 mp2', 'mpeg2-interlaced mp2']),
  ...rows('m2ts', ENCODE, ['h264-interlaced ac3']),
  ...rows('mpg', ENCODE, ['mpeg1 mp2', 'mpeg2 mp2', 'mpeg2-interlaced ac3']),
  ...rows('vob', ENCODE, ['mpeg2 ac3']),
  ...rows('wmv', ENCODE, ['wmv1 wmav1', 'wmv2 wmav2', 'msmpeg4 mp3']),
  ...rows('flv', COPY, ['h264 aac']),
  ...rows('flv', COPY_VIDEO, ['h264 mp3']),
  ...rows('flv', ENCODE, ['flv1 mp3', 'flv1 adpcm_swf']),
  ...rows('flv', ENCODE, ['flv1 nellymoser']),
  ...rows('mkv', COPY, ['h264 aac']),
  ...rows('mkv', COPY_VIDEO, [
    'h264 flac',
    'h264 flac-24',
    'h264 dts',
    'h264 truehd',
    'h264 opus',
    'h264 vorbis',
    'h264 wavpack',
    'h264 eac3',
  ]),
  // Its last frame is as long as the others by its header.
  ...rows('mkv', { ...COPY_VIDEO, saidSeconds: 2.089 }, ['h264 tta']),
  ...rows('mkv', ENCODE, [
    'hevc opus',
    'ffv1 flac',
    'theora vorbis',
    'prores alac',
    'mpeg4 mp3',
    'mpeg4 g722',
    'vp8 pcm_f32le',
  ]),
  ...rows('ogv', ENCODE, ['theora vorbis', 'theora flac', 'theora opus', 'theora speex']),
  ...rows('3gp', COPY, ['h264 aac']),
  ...rows('3gp', ENCODE, ['h263 aac', 'mpeg4 aac']),
  ...rows('webm', ENCODE, ['vp8 vorbis', 'vp8 opus', 'vp9 opus', 'vp9-444 opus', 'av1 opus']),
  ...rows('webm', { ...ENCODE, toneMap: 'hlg', tolerance: 6 }, ['vp9-hlg opus']),
];

/** Returns a clip's path by its name. */
export function corpusClip(name: string): Promise<string> {
  const clip = CORPUS.find((one) => one.name === name);
  if (!clip) throw new Error(`The corpus has no ${name}.`);
  return clip.make();
}
