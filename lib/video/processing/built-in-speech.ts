import type { StoredWord } from '@/db/schema/transcripts';
import type { MachineTranscript } from '@/lib/journal/transcripts/machine-transcript';
import {
  readPassages,
  type StoredPassage,
  savePassage,
  saveProgress,
} from '@/lib/journal/transcripts/machine-transcript';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';
import type { EntryRef } from '@/lib/messaging/outbox/entry-jobs';
import { readSamples } from '@/lib/video/media/audio';
import { meanLogProbability, seemsEnglish } from '@/lib/video/speech/language';
import { recognizePassages } from '@/lib/video/speech/worker-pool';
import type { EntryStep } from './entry-files';
import { stepSeconds } from './job-limits';

/** What the built-in engine is called in a transcript. It understands only English. */
const ENGINE = 'moonshine-tiny';
/** Saving how far it is costs a write, and nobody looks more often. */
const PROGRESS_MS = 1000;

/** The share of a step's time after which it leaves the rest to the next one. A passage takes seconds. */
const TIME_SHARE = 0.6;
/** Ends the work on a part. What was heard is stored. */
const OUT_OF_TIME = Symbol('out of time');

const milliseconds = (seconds: number) => Math.round(seconds * 1000);

/** Returns a word as it's stored. @param offset what its times count from, in seconds from the start of the video */
export function storedWord(
  { word, start, end, confidence }: { word: string; start: number; end: number; confidence?: number },
  offset: number,
): StoredWord {
  const [from, to] = [milliseconds(start + offset) / 1000, milliseconds(end + offset) / 1000];
  return confidence === undefined ? [word, from, to] : [word, from, to, confidence];
}

/**
 * Has the built-in engine transcribe a part, and stores each passage as soon as it's heard: an attempt that's killed
 * is continued where it was.
 * @param file 16-bit samples, mono, at 16 kHz
 * @returns null if the step's time is almost up: the next attempt goes on
 */
export async function recognizePart(
  entry: EntryStep,
  { index: part, startSeconds }: { index: number; startSeconds: number },
  file: string,
): Promise<MachineTranscript | null> {
  const deadline = performance.now() + stepSeconds() * TIME_SHARE * 1000;
  const samples = await readSamples(file);
  const vocabulary = await vocabularyOf(entry.userId);
  const known = new Map((await readPassages(entry, part)).map((passage) => [passage.startMs, passage]));
  const heard = new Map<number, StoredPassage>();
  const boundsOf = ({ start, end }: { start: number; end: number }) => ({
    startMs: milliseconds(start + startSeconds),
    endMs: milliseconds(end + startSeconds),
  });
  let progressAt = 0;
  const recognition = recognizePassages(samples, {
    vocabulary,
    signal: entry.signal,
    skip: (passage) => {
      const { startMs, endMs } = boundsOf(passage);
      const stored = known.get(startMs);
      if (stored?.endMs !== endMs) return false;
      heard.set(startMs, stored);
      return true;
    },
    onRecognized: async ({ words, voiced, logProbability, tokens, ...passage }) => {
      const stored = {
        ...boundsOf(passage),
        part,
        words: words.map((word) => storedWord(word, startSeconds)),
        voiced,
        logProbability,
        tokens,
      };
      heard.set(stored.startMs, stored);
      await savePassage(entry, stored);
      const now = performance.now();
      if (now >= progressAt) {
        progressAt = now + PROGRESS_MS;
        await saveProgress(entry, passage.end + startSeconds);
      }
      if (now > deadline) throw OUT_OF_TIME;
    },
  });
  try {
    await recognition;
  } catch (error) {
    if (error === OUT_OF_TIME) return null;
    throw error;
  }
  const passages = [...heard.values()].sort((one, other) => one.startMs - other.startMs);
  return {
    words: passages.flatMap(({ words }) => words),
    language: 'en',
    estimated: false,
    engine: ENGINE,
    ...meanLogProbability(passages),
  };
}

/** Returns whether what the built-in engine heard in all parts is its language, or nothing. */
export async function isEnglishSpeech(entry: EntryRef): Promise<boolean> {
  const passages = await readPassages(entry);
  return seemsEnglish(
    passages.map(({ words, ...passage }) => ({ ...passage, words: words.map(([word]) => word) })),
  );
}
