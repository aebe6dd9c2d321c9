import type { Container } from './container';
import type { FfmpegTool } from './locate-ffmpeg';

/** What a file really contains, whatever its name and header say. */
export interface MediaProbe {
  container: Container;
  /** From the packets, never from the header: recorders omit it, and truncated or crafted files have wrong ones. */
  durationSeconds: number;
  sizeBytes: number;
  /** How many streams it has, of whatever kind. */
  streams: number;
  video: VideoStream;
  /** What's played: the default track, unless it's silent and another isn't. Null if there's none that can be decoded. */
  audio: AudioStream | null;
  /** The index of the first track that can be decoded. Null if there's none. */
  firstSound: number | null;
  /** What's transcribed: the loudest track. */
  speech: AudioStream | null;
  /** What the sound is in, for people, if there is sound and none of it can be decoded. */
  unreadableSound: string | null;
  /** Fragmented MP4, as browsers record it; players can't seek in it without an index. */
  fragmented: boolean;
  /**
   * An MP4 that players start after one request, and play as ffmpeg does: its index comes first, the picture and sound of a
   * moment are close together, and its tracks aren't cut.
   */
  streamable: boolean;
}

export interface VideoStream {
  index: number;
  codec: string;
  pixelFormat: string;
  /** As displayed: after rotation, in square pixels. */
  width: number;
  height: number;
  frames: number;
  /** The longest time between key frames in seconds, including before the first one and after the last. */
  keyFrameGap: number;
  /** Whether its decoder is configured anew midway, as where two recordings were joined. A copy keeps only one configuration. */
  reconfigured: boolean;
  /** Whether its frames are two fields each, as camcorders record them; `unknown` if its decoder doesn't say. */
  scan: 'progressive' | 'interlaced' | 'unknown';
  color: VideoColor;
}

/** A video's color as its file says it, by ffmpeg's names (ISO/IEC 23091-2); empty for what it doesn't say. */
interface VideoColor {
  /** How brightness and color are separated, such as `bt709`. */
  matrix: string;
  primaries: string;
  /** How brightness is coded: `arib-std-b67` is HLG, and `smpte2084` is PQ. */
  transfer: string;
}

export interface AudioStream {
  index: number;
  codec: string;
  /** ffmpeg's name of the codec's profile, such as LC; empty if there's none. */
  profile: string;
  channels: number;
  sampleRate: number;
}

/** A file for ffmpeg to work on. */
export interface MediaInput {
  tool: FfmpegTool;
  /** Its path. */
  input: string;
  source: MediaProbe;
  signal?: AbortSignal | undefined;
}
