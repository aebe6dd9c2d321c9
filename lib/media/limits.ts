import { availableParallelism, constants } from 'node:os';
import { findLinuxTool } from './executables';

/** 8K UHD (7680 × 4320) and a little more. Without it a crafted file of 2.7 MB took 2.7 GB of memory. */
export const MAX_PIXELS = 35_400_000;

/** Longer is taken for a lying header: 12 hours in the largest accepted file (4 GB) are 740 kbit/s. */
export const MAX_DURATION_SECONDS = 12 * 3600;

/**
 * Address space, not resident memory. 8K 10-bit HEVC to 1080p peaked at 1.4 GB resident and needs more than 2 GB of
 * addresses with four threads.
 */
const MAX_ADDRESS_SPACE_BYTES = 3_000_000_000;

/** Threads cost memory: every one of them holds frames. */
const THREADS = Math.min(4, availableParallelism());

/**
 * Decoders, by ffmpeg's names for them, whose output is used: `libdav1d` is how Debian decodes AV1, `mp3float` is the
 * default for MP3. Beside what browsers and phones record, uncompressed sound: Sony and Canon cameras write it
 * (pcm_s16be, pcm_s16le, pcm_s24be, pcm_s24le), and Chromium in Matroska (pcm_f32le).
 */
export const VIDEO_DECODERS = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'libdav1d', 'libaom-av1'];
const PCM = ['pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_f32le'];
export const AUDIO_DECODERS = ['aac', 'opus', 'vorbis', 'mp3', 'mp3float', ...PCM];

/**
 * ffprobe exits when it cannot open the decoder of any one stream, also of one that nobody asked for. So it may
 * additionally open what honest cameras and editors put beside the picture (captions, cover art, a second sound
 * track); those streams are never mapped, and ffmpeg itself may not open them.
 */
const PROBE_ONLY_DECODERS = [
  ...['mov_text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt', 'text', 'cc_dec', 'dvdsub', 'pgssub'],
  ...[
    'mjpeg',
    'png',
    'mpeg4',
    'prores',
    'ac3',
    'eac3',
    'flac',
    'alac',
    'mp2float',
    'amrnb',
    'amrwb',
    'pcm_s32le',
  ],
];

/**
 * What every call says before its input. `-protocol_whitelist` alone does not keep an HLS, ffconcat or DASH playlist
 * named .mp4 from reading other local files: `-format_whitelist` does.
 */
export function inputLimits(kind: 'ffmpeg' | 'ffprobe'): string[] {
  const decoders = [...VIDEO_DECODERS, ...AUDIO_DECODERS, ...(kind === 'ffprobe' ? PROBE_ONLY_DECODERS : [])];
  return [
    ...['-protocol_whitelist', 'file'],
    ...['-format_whitelist', 'mov,matroska,webm'],
    ...['-codec_whitelist', decoders.join(',')],
    ...['-max_pixels', String(MAX_PIXELS)],
    ...['-threads', String(kind === 'ffmpeg' ? THREADS : 1)],
  ];
}

/** What every ffmpeg call says before its output: picture and sound only, and nothing that tells where or when. */
export function outputLimits(maxOutputBytes: number): string[] {
  return [
    ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...['-threads', String(THREADS), '-fs', String(maxOutputBytes)],
  ];
}

/** A parent that was killed before `setpriv` had asked for the signal sends none: the child would run on alone. */
const UNLESS_ORPHANED = '[ "$PPID" = "$1" ] || exit 137; shift; exec "$@"';

const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Puts the command under the kernel's limits where the tools for it exist (Linux): it has low priority, dies with its
 * parent even after `kill -9`, gains no privileges, and has limits on memory, CPU seconds, file size and open files.
 * WebAssembly reserves far more addresses than it uses, so there only its own bound of 2 GB of memory holds.
 */
export function underKernelLimits(
  command: string[],
  limits: { kind: 'native' | 'wasm'; maxSeconds: number; maxOutputBytes: number },
): string[] {
  const cpuSeconds = Math.ceil(limits.maxSeconds * THREADS) + 1;
  const fileBytes = Math.ceil(limits.maxOutputBytes * 1.1) + 1_000_000;
  const memory = limits.kind === 'native' ? [`--as=${MAX_ADDRESS_SPACE_BYTES}`] : [];
  const setpriv = findLinuxTool('setpriv');
  const prlimit = findLinuxTool('prlimit');
  const nice = findLinuxTool('nice');
  const sh = findLinuxTool('sh');
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...(setpriv && sh ? [sh, '-c', UNLESS_ORPHANED, 'sh', String(process.pid)] : []),
    ...(nice ? [nice, '-n', String(LOW_PRIORITY)] : []),
    ...(prlimit
      ? [
          prlimit,
          ...memory,
          `--cpu=${cpuSeconds}:${cpuSeconds + 2}`,
          `--fsize=${fileBytes}`,
          '--core=0',
          '--nofile=64',
          '--',
        ]
      : []),
    ...command,
  ];
}
