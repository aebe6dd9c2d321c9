import { join } from 'node:path';
import { type Confine, decodeAudio, openPcm, readLevels, readPcm } from './decode';
import { findPassages, soundThreshold } from './passages';
import { findPocketsphinx } from './pocketsphinx';
import { frameRate, frameStep, measureVoice, sampleRate, soundsSpoken, type VoiceFrames } from './voice';
import { findWhisper } from './whisper';

/** `start` and `end` are in seconds. `probability` is 0 to 1, if the engine gives one. */
export type SpokenWord = { word: string; start: number; end: number; probability?: number };
export type Heard = { language: string; words: SpokenWord[] };

/** Recognizes words in up to half a minute of 16 kHz mono samples. */
export type Engine = {
  name: 'whisper' | 'pocketsphinx';
  model: string;
  describe: string;
  understands(language: string | undefined): boolean;
  /** Returns words with times from the start of the passage. */
  hear(
    passage: { samples: Int16Array; voice: VoiceFrames },
    job: { directory: string; language: string | undefined; signal: AbortSignal },
  ): Promise<Heard>;
};

/** One passage of a recording with its words. Times are in seconds from the start of the recording. */
type Segment = { start: number; end: number; words: SpokenWord[] };
export type Transcript = { language: string; duration: number; segments: Segment[] };

/** Passages with a lower share of voiced frames are noise and skip the engine. See `soundsSpoken`. */
const leastVoiced = 0.12;

/** Returns the best engine that works here, if any. `directory` is for temporary files. */
export async function findEngine(cacheDir: string, directory: string): Promise<Engine | undefined> {
  return (await findWhisper(cacheDir)) ?? (await findPocketsphinx(directory, AbortSignal.timeout(60_000)));
}

/**
 * Transcribes an uploaded file passage by passage. Filters out silence, noise and music first, because engines find
 * words in anything.
 *
 * @throws UnreadableAudio, or the reason `signal` was aborted with
 */
export async function transcribeFile(
  engine: Engine,
  input: string,
  job: {
    directory: string;
    language: string | undefined;
    signal: AbortSignal;
    confine?: Confine | undefined;
  },
): Promise<Transcript> {
  const decoded = join(job.directory, 'decoded.raw');
  await decodeAudio(input, decoded, job);
  const pcm = await openPcm(decoded);
  try {
    const levels = await readLevels(pcm, job.signal);
    const threshold = soundThreshold(levels);
    const transcript: Transcript = {
      language: job.language ?? 'english',
      duration: pcm.samples / sampleRate,
      segments: [],
    };
    for (const { from, to } of findPassages(levels)) {
      job.signal.throwIfAborted();
      const samples = await readPcm(pcm, from * frameStep, to * frameStep);
      const voice = measureVoice(samples);
      const sounding = Array.from({ length: to - from }, (_, frame) => frame).filter(
        (frame) => (levels[from + frame] ?? -100) >= threshold,
      );
      if (!soundsSpoken(voice, sounding, leastVoiced)) continue;
      const { language, words } = await engine.hear({ samples, voice }, job);
      const offset = from / frameRate;
      const [first, last] = [words[0], words.at(-1)];
      if (!first || !last) continue;
      transcript.language = language;
      transcript.segments.push({
        start: first.start + offset,
        end: last.end + offset,
        words: words.map((word) => ({ ...word, start: word.start + offset, end: word.end + offset })),
      });
    }
    return transcript;
  } finally {
    await pcm.file.close();
  }
}
