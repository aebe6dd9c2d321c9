/** 16,000 samples a second, mono, -1 to 1: what every model here takes. */
export const SAMPLE_RATE = 16_000;

/** A stretch of speech with its pauses, short enough to be recognized at once. */
export interface Passage extends Span {
  /** Seconds of voice in it. */
  voiced: number;
}

/** A word as the model writes it, with its punctuation, and its tokens' mean probability. */
export interface WrittenWord {
  word: string;
  confidence: number;
}

/** When something was said. Seconds from the start of the samples. */
export interface Span {
  start: number;
  end: number;
}

/** A recognized word. */
export interface RecognizedWord extends WrittenWord, Span {}

/** What was recognized in a passage. No words if nothing in it was intelligible. */
export interface RecognizedPassage extends Passage {
  words: RecognizedWord[];
  /** The mean natural log-probability of the tokens, end token included. */
  logProbability: number;
  tokens: number;
}

export interface RecognizeOptions {
  /** Words the speaker is known to use, such as names, spelled as they write them. */
  vocabulary?: readonly string[];
  signal?: AbortSignal;
  /** Text that's about to be replaced: one attempt, and each word has the times of the whole passage. */
  provisional?: boolean;
}

/** Follows voice in a stream of samples. */
export interface VoiceTracker {
  /** Takes the next 512 samples. Returns the voice that a pause has just ended, or null. */
  next(frame: Float32Array): Promise<Span | null>;
  /** When the voice that goes on now began, in seconds, or null. */
  speakingSince(): number | null;
  /** Returns the voice that goes on now as if it ended here, or null. */
  end(): Span | null;
}

/** Recognizes English speech. The same in Node and in a browser worker. */
export interface SpeechEngine {
  /** Finds the passages in order. The same samples always give the same passages. */
  findPassages(samples: Float32Array): Promise<Passage[]>;
  /** Recognizes one passage of these samples. */
  recognize(samples: Float32Array, passage: Passage, options?: RecognizeOptions): Promise<RecognizedPassage>;
  /** Starts to follow a stream. */
  trackVoice(): VoiceTracker;
}

/** A file that the engine needs: models, their dictionary, and WebAssembly. */
export type SpeechFile =
  | 'onnxruntime.wasm'
  | 'silero_vad.onnx'
  | 'moonshine_encoder.onnx'
  | 'moonshine_projection.onnx'
  | 'moonshine_decoder.onnx'
  | 'soundswallower.wasm'
  | `en-us/${'dict.txt' | 'feat_params.json' | 'mdef' | 'means' | 'noisedict.txt' | 'sendump' | 'transition_matrices' | 'variances'}`;

/** Reads one of the engine's files, from the project's folder in Node and from our own origin in a browser. */
export type ReadSpeechFile = (file: SpeechFile) => Promise<Uint8Array>;
