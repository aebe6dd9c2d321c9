import type { ToneMap } from './color';
import type { MediaInput } from './media-probe';

export interface FfmpegRun {
  kind: 'ffmpeg' | 'ffprobe';
  /**
   * `seconds` is how long it is, if that's known: work on a long one gives way to work on short ones. `codecs` are the
   * only ones that are decoded; by default, all that Daylight reads. `alsoDecoders` are more, by their names, for ffprobe.
   */
  input: { path: string; seconds?: number; codecs?: readonly string[]; alsoDecoders?: readonly string[] };
  /** Input options, such as `-ss`. */
  inputArgs?: string[];
  /** Options after the input. Without `output`, they name their own sink, such as `-f null -`. */
  args: string[];
  output?: { path: string };
  /** Puts the table of a tone map into the run's folder, under the name that filters use. */
  toneMap?: ToneMap | null;
  /** Wall-clock time limit. */
  maxSeconds: number;
  /** ffmpeg stops silently, with exit code 0, when its output reaches this size, so compare durations afterward. */
  maxOutputBytes?: number;
  /**
   * A private directory (0700) for the output. A sandbox changes its owner to the sandbox's user. By default, it's where
   * the output is, or the input if there's none.
   */
  cwd?: string;
  /** `info` for filters that report through the log. By default, ffmpeg writes only errors. */
  logLevel?: 'error' | 'info';
  signal?: AbortSignal;
  /** Receives stdout line by line instead of `stdout`, which stays empty: for output that grows with the file. */
  onStdoutLine?: (line: string) => void;
  onStderrLine?: (line: string) => void;
}

export interface FfmpegResult {
  /** The exit code; null if it was killed. */
  code: number | null;
  /** At most the first 4 MB. */
  stdout: string;
  /** The last 16 kB. */
  stderr: string;
  timedOut: boolean;
}

/** Returns a file as the input of a run, which may open only the decoders of the streams that are used. */
export function inputOf({ input, source }: Pick<MediaInput, 'input' | 'source'>): FfmpegRun['input'] {
  const used = [source.video, source.audio, source.speech];
  return {
    path: input,
    seconds: source.durationSeconds,
    codecs: [...new Set(used.flatMap((stream) => stream?.codec ?? []))],
  };
}
