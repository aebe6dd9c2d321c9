import { availableParallelism, constants } from 'node:os';
import { decodersOf, probeDecoders } from './codecs';
import { DEMUXERS } from './container';
import { findLinuxTool } from './executables';

/** 8K UHD (7680 × 4320) and a little more. Without a limit, a crafted 2.7 MB file took 2.7 GB of memory. */
export const MAX_PIXELS = 35_400_000;

/** A longer duration is treated as a false header: 12 hours in the largest accepted file (4 GB) are 740 kbit/s. */
export const MAX_DURATION_SECONDS = 12 * 3600;

/**
 * Address space, not resident memory. 8K 10-bit HEVC to 1080p peaked at 1.4 GB resident and needs more than 2 GB of
 * address space with four threads.
 */
const MAX_ADDRESS_SPACE_BYTES = 3_000_000_000;

/** Threads cost memory, because each one holds frames. */
const THREADS = Math.min(4, availableParallelism());

/**
 * Returns the options before the input of every call. `-protocol_whitelist` alone doesn't stop an HLS, ffconcat, or DASH
 * playlist named .mp4 from reading other local files; `-format_whitelist` does.
 * @param codecs those that ffmpeg decodes; by default, all that Daylight reads
 * @param alsoDecoders more decoders, by their names, that ffprobe may open
 */
export function inputLimits(
  kind: 'ffmpeg' | 'ffprobe',
  {
    codecs,
    alsoDecoders = [],
  }: { codecs?: readonly string[] | undefined; alsoDecoders?: readonly string[] } = {},
): string[] {
  const decoders = codecs ? decodersOf(codecs) : [...probeDecoders(), ...alsoDecoders];
  return [
    ...['-protocol_whitelist', 'file'],
    ...['-format_whitelist', DEMUXERS.join(',')],
    ...['-codec_whitelist', [...new Set(decoders)].join(',')],
    ...['-max_pixels', String(MAX_PIXELS)],
    ...['-threads', String(kind === 'ffmpeg' ? THREADS : 1)],
  ];
}

/** Options before the output of every ffmpeg call: video and audio only, and no metadata about where or when. */
export function outputLimits(maxOutputBytes: number): string[] {
  return [
    ...['-map_metadata', '-1', '-map_metadata:s', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...['-threads', String(THREADS), '-fs', String(maxOutputBytes)],
  ];
}

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Starts a command. If the parent is killed before `setpriv` asks for the signal, none is sent and the child would keep
 * running on its own. Work on a long video also gets its priority as a session: on many systems, Linux shares the
 * processor among sessions first, and `nice` counts only within one (sched(7), “The autogroup feature”). Other work keeps
 * a session's share there, since somebody waits for it.
 */
const START = `
[ "$PPID" = "$1" ] || exit 137
{
  read -r pid name state parent group session rest < /proc/$$/stat
  if [ "$2" -ge ${PRIORITY_LOW} ] && [ "$session" = "$$" ]; then echo "$2" > /proc/$$/autogroup; fi
} 2>/dev/null
shift 2
exec "$@"
`;

/**
 * A video that's longer gets less of the processor than shorter ones, in seconds: an eighth, beside one of them. Whoever
 * recorded half a minute is waiting for it, and two hours take long anyway.
 */
const LONG_SECONDS = 600;

/**
 * Applies the kernel's limits to a command where the tools for them exist (Linux): low priority, ending with its
 * parent even after `kill -9`, no new privileges, and limits on memory, CPU seconds, file size, and open files.
 * WebAssembly reserves far more address space than it uses, so only its own memory limit of 2 GB applies there.
 */
export function underKernelLimits(
  command: string[],
  limits: { kind: 'native' | 'wasm'; inputSeconds?: number; maxSeconds: number; maxOutputBytes: number },
): string[] {
  const cpuSeconds = Math.ceil(limits.maxSeconds * THREADS) + 1;
  const fileBytes = Math.ceil(limits.maxOutputBytes * 1.1) + 1_000_000;
  const memory = limits.kind === 'native' ? [`--as=${MAX_ADDRESS_SPACE_BYTES}`] : [];
  const setpriv = findLinuxTool('setpriv');
  const prlimit = findLinuxTool('prlimit');
  const nice = findLinuxTool('nice');
  const priority = (limits.inputSeconds ?? 0) > LONG_SECONDS ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL;
  const sh = findLinuxTool('sh');
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'] : []),
    ...(setpriv && sh ? [sh, '-c', START, 'sh', String(process.pid), String(priority)] : []),
    ...(nice ? [nice, '-n', String(priority)] : []),
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
