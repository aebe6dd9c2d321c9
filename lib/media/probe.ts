import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import { AUDIO_DECODERS, MAX_DURATION_SECONDS, MAX_PIXELS, VIDEO_DECODERS } from './limits';
import type { FfmpegTool } from './locate-ffmpeg';
import { listTopLevelBoxes } from './mp4-boxes';

export interface MediaProbe {
  container: 'mp4' | 'mov' | 'webm' | 'matroska';
  /** From the packets, never from the header: recorders omit it, and truncated or crafted files have wrong ones. */
  durationSeconds: number;
  sizeBytes: number;
  video: VideoStream;
  /** Null if there's no audio, or none that Daylight can decode. */
  audio: AudioStream | null;
  /** Fragmented MP4, as browsers record it; players can't seek in it without an index. */
  fragmented: boolean;
}

interface VideoStream {
  index: number;
  codec: string;
  profile: string;
  pixelFormat: string;
  bitDepth: number;
  /** As displayed: after rotation, in square pixels. */
  width: number;
  height: number;
  /** How far the video is rotated for display, in degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  /** Average frames per second; 0 if there's only one frame. */
  frameRate: number;
  frames: number;
  /** The longest time between key frames in seconds, including before the first one and after the last. */
  keyFrameGap: number;
}

interface AudioStream {
  index: number;
  codec: string;
  channels: number;
  sampleRate: number;
}

const streamSchema = z.object({
  index: z.number(),
  codec_type: z.string().default(''),
  codec_name: z.string().default(''),
  profile: z.string().default(''),
  pix_fmt: z.string().default(''),
  width: z.number().default(0),
  height: z.number().default(0),
  channels: z.number().default(0),
  sample_rate: z.coerce.number().default(0),
  sample_aspect_ratio: z.string().default('1:1'),
  disposition: z.object({ attached_pic: z.number().default(0) }).prefault({}),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
});

const headerSchema = z.object({
  streams: z.array(streamSchema).min(1),
  format: z.object({
    format_name: z.string(),
    tags: z.object({ major_brand: z.string().optional() }).prefault({}),
  }),
});

const HEADER_ENTRIES = [
  'stream=index,codec_type,codec_name,profile,pix_fmt,width,height,channels,sample_rate,sample_aspect_ratio',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'stream_tags=',
  'format=format_name',
  'format_tags=major_brand',
].join(':');

/**
 * Returns what a file really contains. Reads all of it once, but decodes only what ffprobe needs for the header.
 * @throws MediaError `unreadable`, `no_video` (also for a video without a single frame), `too_large` (more than 8K or
 * 12 hours), or `timed_out`
 */
export async function probe(
  tool: FfmpegTool,
  path: string,
  options: { maxSeconds?: number; signal?: AbortSignal } = {},
): Promise<MediaProbe> {
  const { size: sizeBytes } = await stat(path);
  if (sizeBytes === 0) throw new MediaError('unreadable', 'The file is empty.');
  const { maxSeconds = 50, signal } = options;
  const run = { kind: 'ffprobe', input: { path }, maxSeconds, cwd: dirname(path), signal } as const;

  const header = await runFfmpeg(tool, { ...run, args: ['-of', 'json', '-show_entries', HEADER_ENTRIES] });
  const { streams, format } = readHeader(header);
  const picture = streams.find(
    (stream) => isReadable(stream, 'video') && stream.disposition.attached_pic === 0,
  );
  if (!picture) throw new MediaError('no_video', header.stderr);
  const isTooLarge =
    picture.width * picture.height > MAX_PIXELS || /exceeds specified max pixel/.test(header.stderr);
  if (isTooLarge) throw new MediaError('too_large', header.stderr);
  const sound = streams.find((stream) => isReadable(stream, 'audio'));

  const scan = scanPackets([picture.index, ...(sound ? [sound.index] : [])]);
  const packets = await runFfmpeg(tool, {
    ...run,
    args: [
      '-fflags',
      '+discardcorrupt',
      '-of',
      'csv=p=0',
      '-show_entries',
      'packet=stream_index,pts_time,dts_time,duration_time,flags:packet_side_data=',
    ],
    onStdoutLine: scan.line,
  });
  const failure = failureOf(packets);
  if (failure && (failure.kind !== 'unreadable' || scan.frames() === 0)) throw failure;
  if (scan.frames() === 0 || picture.width === 0 || picture.height === 0 || picture.pix_fmt === '') {
    throw new MediaError('no_video', packets.stderr);
  }
  if (scan.durationSeconds() > MAX_DURATION_SECONDS)
    throw new MediaError('too_large', 'Its packets last too long.');

  const isMp4 = format.format_name.startsWith('mov');
  return {
    container: isMp4 ? (format.tags.major_brand?.trim() === 'qt' ? 'mov' : 'mp4') : await matroskaKind(path),
    durationSeconds: scan.durationSeconds(),
    sizeBytes,
    video: describeVideo(picture, scan),
    audio: sound
      ? {
          index: sound.index,
          codec: sound.codec_name,
          channels: sound.channels,
          sampleRate: sound.sample_rate,
        }
      : null,
    fragmented: isMp4 && (await listTopLevelBoxes(path)).some((box) => box.type === 'moof'),
  };
}

function readHeader(result: Awaited<ReturnType<typeof runFfmpeg>>): z.infer<typeof headerSchema> {
  const failure = failureOf(result);
  if (failure) throw failure;
  try {
    return headerSchema.parse(JSON.parse(result.stdout));
  } catch {
    // ffprobe as WebAssembly exits with 0 whatever happens, so check its output.
    throw failureOf({ ...result, code: 1 }) ?? new MediaError('unreadable', result.stderr);
  }
}

function isReadable(stream: z.infer<typeof streamSchema>, type: 'video' | 'audio'): boolean {
  const decoders = type === 'video' ? VIDEO_DECODERS : AUDIO_DECODERS;
  return stream.codec_type === type && decoders.includes(stream.codec_name);
}

/**
 * Totals ffprobe's `stream,pts,dts,duration,flags` lines (seconds, or N/A) for the streams that will be played. Key
 * frames are the packets whose flags start with K.
 */
function scanPackets([picture, ...sound]: number[]) {
  let frames = 0;
  let firstFrame = Number.POSITIVE_INFINITY;
  let lastFrame = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  let keyFrame = 0;
  let keyFrameGap = 0;
  return {
    line(line: string): void {
      const fields = line.split(',');
      const [stream, pts, dts, duration] = fields.map(Number);
      const time = Number.isFinite(pts) ? pts : dts;
      if (stream === undefined || time === undefined || !Number.isFinite(time)) return;
      if (stream !== picture && !sound.includes(stream)) return;
      start = Math.min(start, Math.max(0, time));
      end = Math.max(end, time + (Number.isFinite(duration) ? (duration ?? 0) : 0));
      if (stream !== picture) return;
      frames += 1;
      firstFrame = Math.min(firstFrame, time);
      lastFrame = Math.max(lastFrame, time);
      if (!fields[4]?.startsWith('K')) return;
      keyFrameGap = Math.max(keyFrameGap, time - keyFrame);
      keyFrame = time;
    },
    frames: () => frames,
    durationSeconds: () => (Number.isFinite(start) ? Math.max(0, end - start) : 0),
    keyFrameGap: () => Math.max(keyFrameGap, lastFrame - keyFrame),
    framesPerSecond: () => (lastFrame > firstFrame ? (frames - 1) / (lastFrame - firstFrame) : 0),
  };
}

function describeVideo(
  stream: z.infer<typeof streamSchema>,
  scan: ReturnType<typeof scanPackets>,
): VideoStream {
  // ffprobe counts degrees counterclockwise, and a camera's matrix may be off by less than a degree.
  const anticlockwise = stream.side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const quarters = (((Math.round(-anticlockwise / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
  const [horizontal = 1, vertical = 1] = stream.sample_aspect_ratio.split(':').map(Number);
  const isSquare = !(horizontal > 0 && vertical > 0) || horizontal === vertical;
  const width = isSquare ? stream.width : Math.round((stream.width * horizontal) / vertical);
  const turned = quarters % 2 === 1;
  return {
    index: stream.index,
    codec: stream.codec_name,
    profile: stream.profile,
    pixelFormat: stream.pix_fmt,
    bitDepth: Number(/p(\d+)(?:le|be)$/.exec(stream.pix_fmt)?.[1] ?? 8),
    width: turned ? stream.height : width,
    height: turned ? width : stream.height,
    rotation: ([0, 90, 180, 270] as const)[quarters],
    frameRate: Math.round(scan.framesPerSecond() * 1000) / 1000,
    frames: scan.frames(),
    keyFrameGap: scan.keyFrameGap(),
  };
}

/** Returns whether a file is WebM: Matroska whose header says so (DocType, RFC 9559, 5.1) in its first bytes. */
async function matroskaKind(path: string): Promise<'webm' | 'matroska'> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead).includes('webm') ? 'webm' : 'matroska';
  } finally {
    await file.close();
  }
}
