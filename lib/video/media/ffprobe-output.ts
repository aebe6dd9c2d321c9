import { z } from 'zod';
import { MediaError } from './errors';
import { failureOf } from './ffmpeg';
import type { FfmpegResult } from './ffmpeg-run';

/** A stream as ffprobe's `compact` format has it, all of it text. */
const streamSchema = z.object({
  index: z.coerce.number(),
  codec_type: z.string().default(''),
  codec_name: z.string().default(''),
  /** What the container calls the codec. */
  codec_tag_string: z.string().default(''),
  profile: z.string().default(''),
  pix_fmt: z.string().default(''),
  width: z.coerce.number().default(0),
  height: z.coerce.number().default(0),
  channels: z.coerce.number().default(0),
  sample_rate: z.coerce.number().default(0),
  sample_aspect_ratio: z.string().default('1:1'),
  'disposition:attached_pic': z.coerce.number().default(0),
  'disposition:default': z.coerce.number().default(0),
  rotation: z.coerce.number().default(0),
  field_order: z.string().default(''),
  color_space: z.string().default(''),
  color_primaries: z.string().default(''),
  color_transfer: z.string().default(''),
  /** Dolby Vision's; 0 if it isn't that. */
  dv_profile: z.coerce.number().default(0),
});
export type Stream = z.infer<typeof streamSchema>;

const formatSchema = z.object({ format_name: z.string(), 'tag:major_brand': z.string().optional() });

/** What to ask for with `-of compact -show_entries`. */
export const ENTRIES = [
  'stream=index,codec_type,codec_name,codec_tag_string,profile,pix_fmt,width,height,channels,sample_rate',
  'stream=sample_aspect_ratio,field_order,color_space,color_primaries,color_transfer',
  'stream_disposition=attached_pic,default',
  'stream_side_data=rotation,dv_profile',
  'stream_tags=',
  'format=format_name',
  'format_tags=major_brand',
  'packet=stream_index,pts_time,dts_time,duration_time,pos,flags',
  'packet_side_data=side_data_type',
].join(':');

/** Returns the fields of a line in the `compact` format, in which a backslash escapes the separator. */
function fieldsOf(line: string): Record<string, string> {
  const parts = line.split(/(?<!\\)\|/).map((part) => part.split(/=(.*)/s));
  const known = parts.flatMap(([name = '', value]) =>
    value === undefined || value === 'N/A' ? [] : [[name, value] as const],
  );
  return Object.fromEntries(known);
}

const PACKET =
  /^packet\|stream_index=(\d+)\|pts_time=([^|]*)\|dts_time=([^|]*)\|duration_time=([^|]*)\|pos=([^|]*)\|flags=(K?)[^|D]*(D?)/;

/** Collects what ffprobe prints: a line for each packet, then one for each stream, and the format's. */
export function collectEntries() {
  const totals = new Map<number, PacketTotals>();
  const streams: Record<string, string>[] = [];
  let format: Record<string, string> = {};
  return {
    line(line: string): void {
      const packet = PACKET.exec(line);
      if (packet) countPacket(totals, packet, line);
      else if (line.startsWith('stream|')) streams.push(fieldsOf(line));
      else if (line.startsWith('format|')) format = fieldsOf(line);
    },
    isEmpty: () => streams.length === 0,
    /** @throws MediaError if there's no header */
    header(result: FfmpegResult) {
      try {
        return {
          streams: z.array(streamSchema).min(1).parse(streams),
          format: formatSchema.parse(format),
        };
      } catch {
        // ffprobe as WebAssembly exits with 0 whatever happens, so check its output.
        throw (
          failureOf(result) ??
          failureOf({ ...result, code: 1 }) ??
          new MediaError('unreadable', result.stderr)
        );
      }
    },
    packets: (picture: number, sound?: number) =>
      describePackets(totals.get(picture), sound === undefined ? undefined : totals.get(sound)),
  };
}

/** Totals over a stream's packets, in seconds. */
interface PacketTotals {
  count: number;
  last: number;
  /** Where playing starts and ends. What comes before 0 is played, as where MPEG-TS's clock starts over, or else discarded. */
  start: number;
  end: number;
  keyFrame: number;
  keyFrameGap: number;
  reconfigured: boolean;
  /** Where the first packet of each second is in the file, in bytes. */
  places: Map<number, number>;
}

const createTotals = (): PacketTotals => ({
  ...{ count: 0, last: 0, start: Number.POSITIVE_INFINITY, end: 0 },
  ...{ keyFrame: 0, keyFrameGap: 0, reconfigured: false, places: new Map() },
});

/**
 * Adds a packet to the totals of its stream. Key frames are the packets whose flags start with K, and those with a D aren't
 * shown: they come before the start of an edit list.
 */
function countPacket(totals: Map<number, PacketTotals>, packet: RegExpExecArray, line: string): void {
  const [stream = 0, pts, dts, duration, place] = packet.slice(1, 6).map(Number);
  const time = Number.isFinite(pts) ? pts : dts;
  if (time === undefined || !Number.isFinite(time)) return;
  const sums = totals.get(stream) ?? createTotals();
  totals.set(stream, sums);
  if (line.includes('side_data_type=New Extradata')) sums.reconfigured = true;
  sums.count += 1;
  sums.last = Math.max(sums.last, time);
  if (packet[7] !== 'D') sums.start = Math.min(sums.start, time);
  sums.end = Math.max(sums.end, time + (Number.isFinite(duration) ? (duration ?? 0) : 0));
  const second = Math.floor(time);
  if (place !== undefined && Number.isFinite(place) && !sums.places.has(second))
    sums.places.set(second, place);
  if (packet[6] !== 'K') return;
  sums.keyFrameGap = Math.max(sums.keyFrameGap, time - sums.keyFrame);
  sums.keyFrame = time;
}

/** Describes the packets of the streams that will be played. */
function describePackets(picture: PacketTotals | undefined, sound: PacketTotals | undefined) {
  const start = Math.min(...[picture, sound].map((totals) => totals?.start ?? Number.POSITIVE_INFINITY));
  const end = Math.max(picture?.end ?? 0, sound?.end ?? 0);
  const { count, last, keyFrame, keyFrameGap, reconfigured } = picture ?? createTotals();
  return {
    frames: count,
    reconfigured,
    durationSeconds: Number.isFinite(start) ? Math.max(0, end - start) : 0,
    keyFrameGap: Math.max(keyFrameGap, last - keyFrame),
    spreadBytes: spreadOf(picture, sound),
  };
}

/** Returns how far apart the picture and the sound of a second are in the file, at most. */
function spreadOf(picture: PacketTotals | undefined, sound: PacketTotals | undefined): number {
  let spread = 0;
  for (const [second, place] of picture?.places ?? []) {
    spread = Math.max(spread, Math.abs(place - (sound?.places.get(second) ?? place)));
  }
  return spread;
}

export type PacketsOfVideo = ReturnType<typeof describePackets>;
