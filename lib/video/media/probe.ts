import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import { collectEntries, ENTRIES, type PacketsOfVideo, type Stream } from './ffprobe-output';
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
  const found = collectEntries();
  // In one run: starting a program takes longer than reading the header of most files.
  const result = await runFfmpeg(tool, {
    kind: 'ffprobe',
    input: { path },
    args: ['-fflags', '+discardcorrupt', '-of', 'compact', '-show_entries', ENTRIES],
    maxSeconds,
    cwd: dirname(path),
    signal,
    onStdoutLine: found.line,
  });
  const { streams, format } = found.header(result);
  const picture = streams.find(
    (stream) => isReadable(stream, 'video') && !stream['disposition:attached_pic'],
  );
  if (!picture) throw new MediaError('no_video', result.stderr);
  const isTooLarge =
    picture.width * picture.height > MAX_PIXELS || /exceeds specified max pixel/.test(result.stderr);
  if (isTooLarge) throw new MediaError('too_large', result.stderr);
  const sound = streams.find((stream) => isReadable(stream, 'audio'));
  const packets = found.packets(picture.index, sound?.index);
  const failure = failureOf(result);
  if (failure && (failure.kind !== 'unreadable' || packets.frames === 0)) throw failure;
  if (packets.frames === 0 || picture.width === 0 || picture.height === 0 || picture.pix_fmt === '') {
    throw new MediaError('no_video', result.stderr);
  }
  if (packets.durationSeconds > MAX_DURATION_SECONDS)
    throw new MediaError('too_large', 'Its packets last too long.');

  const isMp4 = format.format_name.startsWith('mov');
  return {
    container: isMp4
      ? format['tag:major_brand']?.trim() === 'qt'
        ? 'mov'
        : 'mp4'
      : await matroskaKind(path),
    durationSeconds: packets.durationSeconds,
    sizeBytes,
    video: describeVideo(picture, packets),
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

function isReadable(stream: Stream, type: 'video' | 'audio'): boolean {
  const decoders = type === 'video' ? VIDEO_DECODERS : AUDIO_DECODERS;
  return stream.codec_type === type && decoders.includes(stream.codec_name);
}

function describeVideo(stream: Stream, packets: PacketsOfVideo): VideoStream {
  // ffprobe counts degrees counterclockwise, and a camera's matrix may be off by less than a degree.
  const quarters = (((Math.round(-stream.rotation / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3;
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
    frameRate: Math.round(packets.framesPerSecond * 1000) / 1000,
    frames: packets.frames,
    keyFrameGap: packets.keyFrameGap,
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
