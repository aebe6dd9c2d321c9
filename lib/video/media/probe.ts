import { stat } from 'node:fs/promises';
import { codecName } from '@/lib/video/shared/codec-names';
import { DOLBY_VISION_5, unreadableFormat } from '@/lib/video/shared/refusals';
import { isReadable } from './codecs';
import { containerOf } from './container';
import { MediaError } from './errors';
import { failureOf, runFfmpeg } from './ffmpeg';
import type { FfmpegResult } from './ffmpeg-run';
import { collectEntries, ENTRIES, type PacketsOfVideo, type Stream } from './ffprobe-output';
import { MAX_DURATION_SECONDS, MAX_PIXELS } from './limits';
import type { FfmpegTool } from './locate-ffmpeg';
import type { AudioStream, MediaProbe, VideoStream } from './media-probe';
import { type Mp4Layout, readMp4Layout } from './mp4-layout';
import { chooseSounds } from './sound-choice';

/**
 * Returns what a file really contains. Reads all of it once, but decodes only what ffprobe needs for the header, and the
 * sound of a file that has several.
 * @throws MediaError `unreadable`, `no_video` (also for a video without a single frame), `unsupported`, `too_large` (more
 * than 8K or 12 hours), or `timed_out`
 */
export async function probe(
  tool: FfmpegTool,
  path: string,
  options: { maxSeconds?: number; signal?: AbortSignal } = {},
): Promise<MediaProbe> {
  const { size: sizeBytes } = await stat(path);
  if (sizeBytes === 0) throw new MediaError('unreadable', 'The file is empty.');
  const { maxSeconds = 50, signal } = options;
  const { result, found } = await readEntries(tool, path, { maxSeconds, signal });
  const { streams, format } = found.header(result);
  const picture = choosePicture(streams, result);
  const readable = streams.filter(
    (stream) => isOf(stream, 'audio') && isReadable('audio', stream.codec_name),
  );
  const sounds = readable.map((stream) => ({
    ...describeSound(stream),
    isDefault: stream['disposition:default'] === 1,
  }));
  const { audio, speech } = await chooseSounds(tool, path, sounds, { maxSeconds, signal });
  const packets = found.packets(picture.index, audio?.index);
  const failure = failureOf(result);
  if (failure && (failure.kind !== 'unreadable' || packets.frames === 0)) throw failure;
  if (packets.frames === 0 || picture.width === 0 || picture.height === 0 || picture.pix_fmt === '') {
    throw new MediaError('no_video', result.stderr);
  }
  if (packets.durationSeconds > MAX_DURATION_SECONDS)
    throw new MediaError('too_large', 'Its packets last too long.');

  const container = await containerOf(path, {
    names: format.format_name,
    brand: format['tag:major_brand'] ?? '',
  });
  const layout = container === 'mp4' || container === 'mov' ? await readMp4Layout(path) : null;
  const unread = streams.find((stream) => isOf(stream, 'audio'));
  return {
    container,
    durationSeconds: packets.durationSeconds,
    sizeBytes,
    streams: streams.length,
    video: describeVideo(picture, packets),
    audio,
    firstSound: readable[0]?.index ?? null,
    speech,
    unreadableSound: audio || !unread ? null : nameOf(unread),
    fragmented: layout?.isFragmented ?? false,
    streamable:
      layout !== null &&
      isStreamable(layout, packets) &&
      picture === streams.find((stream) => isOf(stream, 'video')),
  };
}

/** Chromium keeps this much of a file around what it plays, and asks for it again if it has to go back further. */
const MAX_SPREAD_BYTES = 2_097_152;
/** How far off a declared length may be, in seconds: a track may be cut, or start later. */
const MAX_OFF_SECONDS = 1;

function isStreamable(layout: Mp4Layout, { durationSeconds, spreadBytes }: PacketsOfVideo): boolean {
  const isTrue = layout.declaredSeconds.every(
    (seconds) => Math.abs(seconds - durationSeconds) <= MAX_OFF_SECONDS,
  );
  const isPlain = !layout.isFragmented && layout.isIndexFirst && layout.hasSimpleEdits && isTrue;
  return isPlain && spreadBytes <= MAX_SPREAD_BYTES;
}

/** ffprobe exits when a decoder isn't on the list, even that of a stream that nobody needs. */
const UNLISTED = /Codec \((\w+)\) not on whitelist/;
/** How many decoders that aren't used may be opened for the header's sake. */
const MAX_UNLISTED = 3;

/**
 * Has ffprobe list a file's packets and streams. A decoder that it stops at is opened the next time, where ffmpeg is
 * isolated: one stream that can't be decoded doesn't sink the others, and it's never decoded.
 */
async function readEntries(
  tool: FfmpegTool,
  path: string,
  limits: { maxSeconds: number; signal: AbortSignal | undefined },
  alsoDecoders: string[] = [],
): Promise<{ result: FfmpegResult; found: ReturnType<typeof collectEntries> }> {
  const found = collectEntries();
  // In one run: starting a program takes longer than reading the header of most files.
  const result = await runFfmpeg(tool, {
    kind: 'ffprobe',
    input: { path, alsoDecoders },
    args: ['-fflags', '+discardcorrupt', '-of', 'compact', '-show_entries', ENTRIES],
    ...limits,
    onStdoutLine: found.line,
  });
  const unlisted = UNLISTED.exec(result.stderr)?.[1];
  const mayOpen = tool.kind === 'wasm' || tool.sandbox.isolation === 'full';
  const isNew = unlisted !== undefined && !alsoDecoders.includes(unlisted);
  if (!found.isEmpty() || !mayOpen || !isNew || alsoDecoders.length >= MAX_UNLISTED) return { result, found };
  return readEntries(tool, path, limits, [...alsoDecoders, unlisted]);
}

const isOf = (stream: Stream, type: 'video' | 'audio') =>
  stream.codec_type === type && !stream['disposition:attached_pic'];

/** Returns what a stream's codec is called. */
function nameOf({ codec_name, codec_tag_string: tag }: Stream): string {
  const names = [codec_name, tag].map(codecName);
  const given = [codec_name, tag].find(
    (name) => /^[\w.-]{2,16}$/.test(name) && name !== 'unknown' && name !== 'none',
  );
  return names.find((name) => name !== null) ?? given ?? 'unknown';
}

/** Returns the stream that's shown. @throws MediaError */
function choosePicture(streams: Stream[], { stderr }: FfmpegResult): Stream {
  const pictures = streams.filter((stream) => isOf(stream, 'video'));
  const picture = pictures.find((stream) => isReadable('video', stream.codec_name));
  if (!picture) {
    const [unread] = pictures;
    if (!unread) throw new MediaError('no_video', stderr);
    throw new MediaError('unsupported', stderr, unreadableFormat(nameOf(unread)));
  }
  const isTooLarge =
    picture.width * picture.height > MAX_PIXELS || /exceeds specified max pixel/.test(stderr);
  if (isTooLarge) throw new MediaError('too_large', stderr);
  if (picture.dv_profile === 5) throw new MediaError('unsupported', 'Dolby Vision', DOLBY_VISION_5);
  return picture;
}

const SCANS: Record<string, VideoStream['scan']> = {
  progressive: 'progressive',
  tt: 'interlaced',
  bb: 'interlaced',
  tb: 'interlaced',
  bt: 'interlaced',
};

/** Codecs whose frames are never fields. Their decoders don't say so. */
const ALWAYS_PROGRESSIVE = new Set([
  'vp8',
  'vp9',
  'av1',
  'theora',
  'png',
  'cinepak',
  'qtrle',
  'flv1',
  'h263',
]);

const said = (value: string): string => (value === 'unknown' || value === 'reserved' ? '' : value);

function describeVideo(stream: Stream, packets: PacketsOfVideo): VideoStream {
  const [horizontal = 1, vertical = 1] = stream.sample_aspect_ratio.split(':').map(Number);
  const isSquare = !(horizontal > 0 && vertical > 0) || horizontal === vertical;
  const width = isSquare ? stream.width : Math.round((stream.width * horizontal) / vertical);
  // A camera's matrix may be off by less than a degree.
  const turned = Math.round(-stream.rotation / 90) % 2 !== 0;
  const scan = ALWAYS_PROGRESSIVE.has(stream.codec_name) ? 'progressive' : SCANS[stream.field_order];
  return {
    index: stream.index,
    codec: stream.codec_name,
    pixelFormat: stream.pix_fmt,
    width: turned ? stream.height : width,
    height: turned ? width : stream.height,
    frames: packets.frames,
    keyFrameGap: packets.keyFrameGap,
    reconfigured: packets.reconfigured,
    scan: scan ?? 'unknown',
    color: {
      matrix: said(stream.color_space),
      primaries: said(stream.color_primaries),
      transfer: said(stream.color_transfer),
    },
  };
}

const describeSound = (stream: Stream): AudioStream => ({
  index: stream.index,
  codec: stream.codec_name,
  profile: said(stream.profile),
  channels: stream.channels,
  sampleRate: stream.sample_rate,
});
