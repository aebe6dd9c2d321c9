import { cached, encode } from './encode';

const PICTURES = ['-f', 'lavfi', '-i', 'testsrc2=size=176x144:rate=25'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
const LENGTH = ['-t', '0.4'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
const AAC = ['-c:a', 'aac'];

const video = (...args: string[]) => [...PICTURES, ...SOUND, ...LENGTH, ...args];
const sound = (...args: string[]) => [...SOUND, ...LENGTH, ...args];

/** What ffmpeg writes with pictures, by file name. */
const VIDEOS = {
  'h264.mp4': video(...H264, ...AAC),
  'header-first.mp4': video(...H264, ...AAC, '-movflags', '+faststart'),
  'fragmented.mp4': video(...H264, ...AAC, '-movflags', 'frag_keyframe+empty_moov'),
  'hevc.mov': video(...HEVC, '-tag:v', 'hvc1', '-c:a', 'pcm_s16be'),
  'h263.3gp': video('-c:v', 'h263', ...AAC),
  'prores.mov': video('-c:v', 'prores_ks', '-c:a', 'pcm_s16le'),
  'animation.mov': video('-c:v', 'qtrle', '-an'),
  'hevc.mkv': video(...HEVC, '-c:a', 'libopus'),
  'prores.mkv': video('-c:v', 'prores_ks', '-c:a', 'flac'),
  'animation.mkv': video('-c:v', 'qtrle', '-an'),
  'cinepak.mkv': video('-c:v', 'cinepak', '-an'),
  'vp9.webm': video(...VP9, '-c:a', 'libopus'),
  'mpeg4.avi': video('-c:v', 'mpeg4', '-vtag', 'XVID', '-c:a', 'libmp3lame'),
  'mjpeg.avi': video('-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_u8'),
  'h264.ts': video(...H264, ...AAC, '-f', 'mpegts'),
  'hevc.ts': video(...HEVC, '-c:a', 'eac3', '-f', 'mpegts'),
  'camera.mts': video(...H264, '-c:a', 'ac3', '-f', 'mpegts', '-mpegts_m2ts_mode', '1'),
  'mpeg1.mpg': video('-c:v', 'mpeg1video', '-c:a', 'mp2'),
  'mpeg2.vob': video('-c:v', 'mpeg2video', '-c:a', 'ac3'),
  'wmv2.wmv': video('-c:v', 'wmv2', '-c:a', 'wmav2'),
  'msmpeg4.asf': video('-c:v', 'msmpeg4', '-an'),
  'spark.flv': video('-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'),
  'h264.flv': video(...H264, ...AAC),
  'theora.ogv': video('-c:v', 'libtheora', '-c:a', 'libvorbis'),
} as const;

/** What ffmpeg writes with sound alone. */
const SOUNDS = {
  'aac.mp4': sound(...AAC),
  'aac.m4a': sound(...AAC),
  'pcm.mov': sound('-c:a', 'pcm_s16le'),
  'opus.webm': sound('-c:a', 'libopus'),
  'flac.mkv': sound('-c:a', 'flac'),
  'mp3.avi': sound('-c:a', 'libmp3lame'),
  'aac.ts': sound(...AAC, '-f', 'mpegts'),
  'wmav2.wmv': sound('-c:a', 'wmav2'),
  'vorbis.ogg': sound('-c:a', 'libvorbis'),
  'opus.ogv': sound('-c:a', 'libopus', '-f', 'ogg'),
  'id3.mp3': sound('-c:a', 'libmp3lame', '-id3v2_version', '3'),
  'pcm.wav': sound(),
  'pcm.aiff': sound(),
  'pcm.caf': sound(),
  'flac.flac': sound(),
} as const;

/** Videos that Daylight can't read. */
const UNREADABLE = {
  'mpeg2.mxf': video('-c:v', 'mpeg2video', '-c:a', 'pcm_s16le'),
  'rv10.rm': video('-c:v', 'rv10', '-c:a', 'ac3'),
  'mpeg2.wtv': video('-c:v', 'mpeg2video', '-c:a', 'mp2'),
  'spark.swf': video('-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'),
} as const;

const CLIPS = { ...VIDEOS, ...SOUNDS, ...UNREADABLE };

export type FormatClip = keyof typeof CLIPS;
export const videoNames = Object.keys(VIDEOS) as FormatClip[];
export const soundNames = Object.keys(SOUNDS) as FormatClip[];

/** Returns the path of a short clip in one of many formats. */
export const formatClip = (name: FormatClip): Promise<string> =>
  cached(`format-${name}`, (path) => encode([...CLIPS[name]], path));
