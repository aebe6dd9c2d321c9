/** How long a window is whose levels are compared, in seconds and in samples at 16 kHz. */
export const WINDOW_SECONDS = 0.2;
const WINDOW_SAMPLES = 3200;

/** Keeps the audio in sync with the video: adds silence before a late start and in gaps. */
const ALIGNED = 'aresample=16000:async=1:first_pts=0';
const MIX = '0.5*c0+0.5*c1';

/** Stretches in which the two channels cancel each other out, and which of them is used there. */
export interface Cancellation {
  channel: 0 | 1;
  /** From and to, in seconds, in order. */
  stretches: [number, number][];
}

/**
 * Returns the graph that makes mono at 16 kHz, in windows, of a track, with the label `speech`.
 * @param canceled null to mix all of it
 * @param after filters for the result
 */
export function speechGraph(
  { index, channels }: { index: number; channels: number },
  { canceled = null, after = [] }: { canceled?: Cancellation | null; after?: string[] },
): string {
  const windows = `asetnsamples=n=${WINDOW_SAMPLES}:p=0`;
  const result = `${[windows, ...after].join(',')}[speech]`;
  if (channels < 2) return `[0:${index}]aformat=channel_layouts=mono,${ALIGNED},${result}`;
  const stereo = `[0:${index}]aformat=channel_layouts=stereo,${ALIGNED}`;
  if (!canceled) {
    const measured = [
      `pan=3.0|c0=c0|c1=c1|c2=${MIX}`,
      windows,
      'astats=metadata=1:reset=1:measure_perchannel=RMS_level:measure_overall=none',
    ];
    const each = `[each]${measured.join(',')},ametadata=mode=print,anullsink`;
    return `${stereo},asplit=2[both][each];${each};[both]pan=mono|c0=${MIX},${result}`;
  }
  const during = canceled.stretches
    .map(([from, to]) => `between(t,${from.toFixed(2)},${to.toFixed(2)})`)
    .join('+');
  return [
    `${stereo},${windows},asplit=2[both][each]`,
    `[both]pan=mono|c0=${MIX},volume=0:enable='${during}'[mixed]`,
    `[each]pan=mono|c0=c${canceled.channel},volume=0:enable='not(${during})'[alone]`,
    `[mixed][alone]amix=inputs=2:normalize=0,${result}`,
  ].join(';');
}

/** Below this level, in dBFS, there's nothing to lose. */
const AUDIBLE = -60;
/** How much quieter than the louder channel a mix is that has canceled out, in dB. One silent channel costs 6. */
const CANCELED = 12;
/** Stretches that are closer than this, in seconds, are one: words have pauses. */
const MAX_GAP = 2;
/** With more stretches than this, all of the sound is taken from one channel. */
const MAX_STRETCHES = 50;

/** Collects the levels that {@link speechGraph} prints: of the left, the right, and the mix, window by window. */
export function collectChannels() {
  const levels: [number[], number[], number[]] = [[], [], []];
  return {
    line(line: string): void {
      const [, channel, level] = /lavfi\.astats\.([123])\.RMS_level=(\S+)/.exec(line) ?? [];
      if (!channel) return;
      const value = Number(level);
      levels[Number(channel) - 1]?.push(Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY);
    },
    /** Returns where the channels cancel each other out; null if they nowhere do. */
    cancellation: () => findCancellation(...levels),
  };
}

function findCancellation(left: number[], right: number[], mix: number[]): Cancellation | null {
  const stretches: [number, number][] = [];
  const energy = [0, 0];
  for (const [window, mixed] of mix.entries()) {
    const each = [left[window] ?? Number.NEGATIVE_INFINITY, right[window] ?? Number.NEGATIVE_INFINITY];
    const louder = Math.max(...each);
    if (louder < AUDIBLE || mixed > louder - CANCELED) continue;
    each.forEach((level, channel) => {
      energy[channel] = (energy[channel] ?? 0) + 10 ** (level / 10);
    });
    const from = window * WINDOW_SECONDS;
    const last = stretches.at(-1);
    if (last && from - last[1] <= MAX_GAP) last[1] = from + WINDOW_SECONDS;
    else stretches.push([from, from + WINDOW_SECONDS]);
  }
  const [first] = stretches;
  const end = stretches.at(-1)?.[1];
  if (!first || end === undefined) return null;
  const channel = (energy[0] ?? 0) >= (energy[1] ?? 0) ? 0 : 1;
  return { channel, stretches: stretches.length > MAX_STRETCHES ? [[first[0], end]] : stretches };
}
