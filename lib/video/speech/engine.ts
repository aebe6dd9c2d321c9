import type { Decoder } from 'soundswallower';
import { alignWords, loadAlignerModel } from './alignment';
import { type Attempt, DOUBTFUL_SCORE, decode, isIntelligible, judge } from './decode';
import { type Moonshine, openModel, openMoonshine, prepareOnnxruntime } from './moonshine';
import { findPassages, quietestPoint, trackVoice } from './passages';
import {
  type Passage,
  type ReadSpeechFile,
  type RecognizedPassage,
  type RecognizeOptions,
  SAMPLE_RATE,
  type SpeechEngine,
} from './types';
import { preferVocabulary } from './vocabulary';

/** How much is heard before and after a passage, in seconds. Without it, first and last words get lost. */
const MARGIN_SECONDS = 0.1;

/** How many texts the model goes on with at once. More than three cost more time than they gain words. */
const BEAM_WIDTH = 3;

/** A second try starts and ends with silence, and a third is cut in two. That costs context, so it has to be worth it. */
const PADDING_SECONDS = 0.3;
const SHORTEST_PART_SECONDS = 1;
const CUT_COST = 0.05;

/** Below this level, in dBFS, voice detection loses most words. At -47 it still works. */
const QUIET_DBFS = -50;
const RAISED_DBFS = -20;

const amplitude = (dbfs: number) => 10 ** (dbfs / 20);

/**
 * Returns what to multiply samples with before anything listens to them: 1 unless they're so quiet that voice detection
 * fails. Never so much that the loudest sample clips.
 */
function gainFor(samples: Float32Array): number {
  let squares = 0;
  let peak = 0;
  for (const sample of samples) {
    squares += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const rms = Math.sqrt(squares / samples.length);
  if (peak === 0 || rms >= amplitude(QUIET_DBFS)) return 1;
  return Math.max(1, Math.min(amplitude(RAISED_DBFS) / rms, 1 / peak));
}

/** Loads the models, which takes a few seconds. @throws if a file can't be read */
export async function loadEngine(read: ReadSpeechFile): Promise<SpeechEngine> {
  prepareOnnxruntime(await read('onnxruntime.wasm'));
  const silero = await openModel(read, 'silero_vad.onnx');
  const moonshine = await openMoonshine(read);
  const aligner = await loadAlignerModel(read);
  return {
    findPassages: (samples) => findPassages(silero, samples, gainFor(samples)),
    recognize: (samples, passage, options = {}) =>
      recognize({ moonshine, aligner }, samples, passage, options),
    trackVoice: () => trackVoice(silero),
  };
}

async function recognize(
  { moonshine, aligner }: { moonshine: Moonshine; aligner: Decoder },
  samples: Float32Array,
  passage: Passage,
  { vocabulary = [], signal, provisional }: RecognizeOptions,
): Promise<RecognizedPassage> {
  const gain = gainFor(samples);
  const from = Math.max(0, passage.start - MARGIN_SECONDS);
  const heard = cut(samples, from, passage.end + MARGIN_SECONDS, gain);
  const { voiced } = passage;
  const best = provisional
    ? judge([await decode(moonshine, heard, { width: 1, signal })], voiced)
    : await bestAttempt(moonshine, heard, voiced, signal);
  const { logProbability, tokens } = best;
  const intelligible = isIntelligible(best, voiced) ? best.words : [];
  if (provisional) {
    const { start, end } = passage;
    const words = intelligible.map((word) => ({ ...word, start, end }));
    return { ...passage, words, logProbability, tokens };
  }
  const written = await preferVocabulary({ moonshine, aligner }, heard, intelligible, vocabulary);
  const times = alignWords(
    aligner,
    heard,
    written.map(({ word }) => word),
  );
  const words = written.flatMap((word, index) => {
    const time = times[index];
    return time ? [{ ...word, start: from + time.start, end: from + time.end }] : [];
  });
  return { ...passage, words, logProbability, tokens };
}

/** Recognizes a passage, and again in other ways as long as it's doubtful. Returns what seems best. */
async function bestAttempt(
  moonshine: Moonshine,
  samples: Float32Array,
  voiced: number,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const attempt = async (...parts: Float32Array[]) => {
    const decodings = [];
    for (const part of parts) decodings.push(await decode(moonshine, part, { width: BEAM_WIDTH, signal }));
    return judge(decodings, voiced);
  };
  const first = await attempt(samples);
  if (first.score >= DOUBTFUL_SCORE) return first;
  const padded = new Float32Array(samples.length + 2 * PADDING_SECONDS * SAMPLE_RATE);
  padded.set(samples, PADDING_SECONDS * SAMPLE_RATE);
  const second = better(first, await attempt(padded));
  const duration = samples.length / SAMPLE_RATE;
  if (second.score >= DOUBTFUL_SCORE || duration < 2 * SHORTEST_PART_SECONDS) return second;
  const middle = quietestPoint(samples, SHORTEST_PART_SECONDS, duration - SHORTEST_PART_SECONDS);
  const inParts = await attempt(cut(samples, 0, middle, 1), cut(samples, middle, duration, 1));
  return better(second, { ...inParts, score: inParts.score - CUT_COST });
}

const better = (one: Attempt, other: Attempt): Attempt => (other.score > one.score ? other : one);

/** Returns a copy of the samples between two times, in seconds, multiplied by `gain`. */
function cut(samples: Float32Array, from: number, to: number, gain: number): Float32Array {
  const part = samples.slice(Math.round(from * SAMPLE_RATE), Math.round(to * SAMPLE_RATE));
  return gain === 1 ? part : part.map((sample) => sample * gain);
}
