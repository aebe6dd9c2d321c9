import { open, stat } from 'node:fs/promises';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import { collectEntries, ENTRIES, type PacketsOfVideo, type Stream } from './ffprobe-output';
import { AUDIO_DECODERS, MAX_DURATION_SECONDS, MAX_PIXELS, VIDEO_DECODERS } from './limits';
import type { FfmpegTool } from './locate-ffmpeg';

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

/** A file for ffmpeg to work on. */
export interface MediaInput {
  tool: FfmpegTool;
  /** Its path. */
  input: string;
  source: MediaProbe;
  signal?: AbortSignal | undefined;
}

interface VideoStream {
  index: number;
  codec: string;
  pixelFormat: string;
  /** As displayed: after rotation, in square pixels. */
  width: number;
  height: number;
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
  const [horizontal = 1, vertical = 1] = stream.sample_aspect_ratio.split(':').map(Number);
  const isSquare = !(horizontal > 0 && vertical > 0) || horizontal === vertical;
  const width = isSquare ? stream.width : Math.round((stream.width * horizontal) / vertical);
  // A camera's matrix may be off by less than a degree.
  const turned = Math.round(-stream.rotation / 90) % 2 !== 0;
  return {
    index: stream.index,
    codec: stream.codec_name,
    pixelFormat: stream.pix_fmt,
    width: turned ? stream.height : width,
    height: turned ? width : stream.height,
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

/** More than any ordinary file has. */
const MAX_BOXES = 64;

interface Box {
  type: string;
  /** Bytes from the start of the file. */
  offset: number;
  /** Bytes including the header, as the file claims; a truncated file ends earlier. */
  size: number;
}

/**
 * Returns the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2), at most 64 of them. Stops
 * without an error where the bytes no longer make sense.
 */
export async function listTopLevelBoxes(path: string): Promise<Box[]> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const header = Buffer.alloc(16);
    const boxes: Box[] = [];
    for (let offset = 0; boxes.length < MAX_BOXES && offset + 8 <= fileSize; ) {
      const { bytesRead } = await file.read(header, 0, 16, offset);
      const declared = header.readUInt32BE(0);
      // 0: the box extends to the end of the file; 1: a 64-bit size follows the type.
      const size =
        declared === 0
          ? fileSize - offset
          : declared === 1 && bytesRead === 16
            ? Number(header.readBigUInt64BE(8))
            : declared;
      if (size < 8) break;
      boxes.push({ type: header.toString('latin1', 4, 8), offset, size });
      offset += size;
    }
    return boxes;
  } finally {
    await file.close();
  }
}
