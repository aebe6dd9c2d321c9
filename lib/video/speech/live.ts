import { quietestPoint } from './passages';
import { createSampleBuffer } from './sample-buffer';
import { type Passage, type RecognizedPassage, SAMPLE_RATE, type Span, type SpeechEngine } from './types';

/** The voice detector's frame, in samples. */
const FRAME = 512;
/** Audio around a passage that the engine may use, in seconds. */
const MARGIN = 0.5;

/** New voice after which the open passage is recognized again, in seconds. */
const REFRESH_AFTER = 1;
const REFRESH_AFTER_PAUSE = 0.1;
/** How often silence is reported, in seconds. */
const SILENCE_INTERVAL = 0.5;
/**
 * A pause of so many seconds ends a passage that's at least so long. Long passages are recognized better, and short ones
 * sooner: while one is open, all of it is recognized again and again.
 */
const PAUSES_THAT_END = [
  { pause: 0.3, length: 10 },
  { pause: 0.8, length: 4 },
  { pause: 1.5, length: 0 },
];
/** A passage without a pause is cut after so many seconds, at the quietest place in the last of them. */
const LONGEST = 16;
const SEARCH = 6;

/** Gives up once it's so many seconds further behind than before. */
const MAX_DELAY = 10;

/** Thrown when recognition can't keep up with the voice. */
export class TooSlowError extends Error {
  override name = 'TooSlowError';
}

interface LiveEvents {
  /** Called with what's been recognized of the passage that's still open. */
  onText(text: string): void;
  /** Called with a passage that's final. Times are in seconds of the recording. */
  onPassage(passage: RecognizedPassage): void;
  /** Called now and then while nobody speaks, with the second up to which everything has been recognized. */
  onSilence(until: number): void;
}

/** Lets messages arrive in between, since the engine computes without a pause. */
const yieldToEvents = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Adds voice to the passage that it belongs to, or starts one. What a cut has taken off the voice stays off. */
function extend(passage: Passage | null, voice: Span | null): Passage | null {
  if (!voice) return passage;
  const since = Math.max(voice.start, passage?.end ?? 0);
  const voiced = (passage?.voiced ?? 0) + Math.max(0, voice.end - since);
  return { start: passage?.start ?? since, end: voice.end, voiced };
}

/**
 * Recognizes speech while it's spoken. Samples are 16 kHz mono.
 * @param signal ends it early: everything then throws the signal's reason
 */
export function recognizeLive(
  engine: Pick<SpeechEngine, 'recognize' | 'trackVoice'>,
  { onText, onPassage, onSilence }: LiveEvents,
  signal: AbortSignal,
) {
  const buffer = createSampleBuffer();
  const tracker = engine.trackVoice();
  /** How much the voice detector has heard, in samples. */
  let tracked = 0;
  /** The open passage up to its last pause. */
  let open: Passage | null = null;
  /** Seconds of voice in the open passage when its text was last shown. */
  let shown = 0;
  /** When silence was last reported, in seconds. */
  let silentAt = 0;
  let ended = false;
  /** The shortest time that samples have waited, in seconds. */
  let shortestDelay = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;

  const now = () => tracked / SAMPLE_RATE;

  /** Returns the open passage up to now, with the voice that goes on. */
  const upToNow = () => extend(open, tracker.end());

  /** Has a passage recognized, by itself, so that the cost doesn't grow with the recording. */
  async function recognize(passage: Passage, provisional: boolean): Promise<RecognizedPassage> {
    const from = Math.max(0, Math.floor((passage.start - MARGIN) * SAMPLE_RATE));
    const samples = buffer.slice(from, Math.ceil((passage.end + MARGIN) * SAMPLE_RATE));
    const offset = from / SAMPLE_RATE;
    const { start, end, voiced } = passage;
    const local = { start: start - offset, end: end - offset, voiced };
    const heard = await engine.recognize(samples, local, { provisional, signal });
    const words = heard.words.map((word) => ({
      ...word,
      start: word.start + offset,
      end: word.end + offset,
    }));
    return { ...heard, start, end, words };
  }

  async function close(passage: Passage): Promise<void> {
    shown = 0;
    onPassage(await recognize(passage, false));
    buffer.dropBefore(Math.floor((passage.end - MARGIN) * SAMPLE_RATE));
  }

  /** Cuts a passage that has no pause. What follows the cut stays open. */
  async function cut(passage: Passage): Promise<void> {
    const from = Math.floor(passage.start * SAMPLE_RATE);
    const samples = buffer.slice(from, tracked);
    const length = passage.end - passage.start;
    const at = passage.start + quietestPoint(samples, length - SEARCH, length);
    const rest = Math.min(passage.voiced, passage.end - at);
    await close({ start: passage.start, end: at, voiced: passage.voiced - rest });
    open = { start: at, end: at, voiced: 0 };
  }

  /** Closes the passage if it's time to. Returns whether it did. */
  async function closeIfDue(): Promise<boolean> {
    const passage = upToNow();
    if (!passage) return false;
    const length = passage.end - passage.start;
    if (tracker.speakingSince() !== null) {
      if (length < LONGEST) return false;
      await cut(passage);
      return true;
    }
    const silence = now() - passage.end;
    if (!PAUSES_THAT_END.some((end) => silence >= end.pause && length >= end.length)) return false;
    open = null;
    await close(passage);
    return true;
  }

  /** Hears what has come in until a passage closes. Returns whether one did. */
  async function track(): Promise<boolean> {
    while (buffer.length() - tracked >= FRAME) {
      const voice = await tracker.next(buffer.slice(tracked, tracked + FRAME));
      tracked += FRAME;
      open = extend(open, voice);
      if (await closeIfDue()) return true;
    }
    return false;
  }

  async function refresh(): Promise<void> {
    const passage = upToNow();
    if (!passage) {
      buffer.dropBefore(tracked - MARGIN * SAMPLE_RATE);
      if (now() - silentAt < SILENCE_INTERVAL) return;
      silentAt = now();
      return onSilence(silentAt);
    }
    const isPause = tracker.speakingSince() === null;
    if (passage.voiced - shown < (isPause ? REFRESH_AFTER_PAUSE : REFRESH_AFTER)) return;
    shown = passage.voiced;
    const { words } = await recognize(passage, true);
    const text = words.map(({ word }) => word).join(' ');
    // The model ends every passage like a sentence.
    onText(text.replace(/[.,?!]+$/, ''));
  }

  async function run(): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const delay = (buffer.length() - tracked) / SAMPLE_RATE;
      shortestDelay = Math.min(shortestDelay, delay);
      if (!ended && delay > shortestDelay + MAX_DELAY) throw new TooSlowError();
      const before = buffer.length();
      const closed = await track();
      if (!closed && !ended) await refresh();
      await yieldToEvents();
      if (!closed && buffer.length() === before) return;
    }
  }

  const start = () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    /**
     * Takes the next samples. Resolves when everything so far has been dealt with.
     * @throws TooSlowError; or what the engine throws
     */
    push(samples: Float32Array): Promise<void> {
      buffer.append(samples);
      return start();
    },
    /** Fills up with silence if the samples so far are shorter than this, in seconds of the recording. */
    padTo(seconds: number): void {
      const missing = Math.round(seconds * SAMPLE_RATE) - buffer.length();
      if (missing <= 0) return;
      buffer.append(new Float32Array(missing));
      // However much that is, it isn't because recognition is slow.
      shortestDelay = Number.POSITIVE_INFINITY;
    },
    /** Recognizes the rest. Resolves after the last passage. Throws as `push` does. */
    async finish(): Promise<void> {
      ended = true;
      await start();
      // A run that was going on may have missed the last samples.
      await start();
      const passage = upToNow();
      open = null;
      if (passage) await close(passage);
    },
  };
}
