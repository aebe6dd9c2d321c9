import { failureOf, runFfmpeg } from './ffmpeg';
import type { FfmpegTool } from './locate-ffmpeg';
import type { AudioStream } from './media-probe';

/** dBFS. What never gets louder is a track that nothing was recorded on. */
const SILENT_BELOW = -50;
/** How much of a track is listened to, in seconds: decoding all of a long one could take longer than a step may. */
const MAX_SECONDS = 900;
/** More tracks than recorders and editors write. Others aren't listened to. */
const MAX_TRACKS = 8;

/** How loud a track is, in dBFS: its loudest sample, and on average. */
interface Loudness {
  peak: number;
  mean: number;
}

/**
 * Chooses among a file's readable tracks. Only if there are several, decodes them.
 * @returns what's played, which is the default track, unless it's silent and another isn't; and what's transcribed, the
 * loudest one. A track that can't be decoded after all counts as silent.
 */
export async function chooseSounds(
  tool: FfmpegTool,
  path: string,
  tracks: (AudioStream & { isDefault: boolean })[],
  limits: { maxSeconds: number; signal?: AbortSignal | undefined },
): Promise<{ audio: AudioStream | null; speech: AudioStream | null }> {
  const main = tracks.find(({ isDefault }) => isDefault) ?? tracks[0];
  if (!main) return { audio: null, speech: null };
  const sounds: { track: AudioStream; loudness: Loudness; isMain: boolean }[] = [];
  for (const { isDefault: _, ...track } of tracks.slice(0, MAX_TRACKS)) {
    const loudness = tracks.length > 1 ? await measure(tool, path, track, limits) : { peak: 0, mean: 0 };
    sounds.push({ track, loudness, isMain: track.index === main.index });
  }
  const byLoudness = sounds.sort((one, other) => other.loudness.mean - one.loudness.mean);
  const [loudest] = byLoudness;
  const isHeard = ({ loudness }: { loudness: Loudness }) => loudness.peak > SILENT_BELOW;
  const played = byLoudness.find((sound) => sound.isMain && isHeard(sound)) ?? byLoudness.find(isHeard);
  const fallback = byLoudness.find(({ isMain }) => isMain);
  return { audio: (played ?? fallback)?.track ?? null, speech: loudest?.track ?? null };
}

async function measure(
  tool: FfmpegTool,
  path: string,
  track: AudioStream,
  limits: { maxSeconds: number; signal?: AbortSignal | undefined },
): Promise<Loudness> {
  const result = await runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: { path, codecs: [track.codec] },
    args: ['-map', `0:${track.index}`, '-t', String(MAX_SECONDS), '-af', 'volumedetect', '-f', 'null', '-'],
    logLevel: 'info',
    ...limits,
  });
  const level = (name: string) =>
    Number(new RegExp(`${name}_volume: (-?[\\d.]+) dB`).exec(result.stderr)?.[1] ?? Number.NEGATIVE_INFINITY);
  const isUnknown = failureOf(result) !== null;
  const none = Number.NEGATIVE_INFINITY;
  return isUnknown ? { peak: none, mean: none } : { peak: level('max'), mean: level('mean') };
}
