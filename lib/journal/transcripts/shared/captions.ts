import type { Steps } from '@/lib/foundation/shared/steps';
import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from './paragraphs';

/** A caption on screen. Times are in seconds. */
interface Cue {
  start: number;
  end: number;
  text: string;
}

/**
 * Two lines of 42 characters (the usual size of captions), on screen for at most 7 s, and never across a pause of 1
 * s.
 */
const MAX_CHARACTERS = 84;
const MAX_SECONDS = 7;
const PAUSE = 1;
/** A caption stays on screen at least this long, unless the next one starts sooner. */
const MIN_SECONDS = 1;

const endsSentence = (word: Word) => /[.?!…。？！]["'”’)]*$/.test(word.word);

function fitsInCue(cue: readonly Word[], next: Word): boolean {
  const first = cue[0];
  const last = cue.at(-1);
  if (!first || !last) return true;
  const length = cue.reduce((sum, word) => sum + word.word.length + 1, next.word.length);
  return (
    length <= MAX_CHARACTERS &&
    next.end_time - first.start_time <= MAX_SECONDS &&
    next.start_time - last.end_time < PAUSE &&
    !(endsSentence(last) && length > MAX_CHARACTERS / 2)
  );
}

/** How many captions are made in a step. */
const CUES_IN_STEP = 100;

/** Splits words into captions: in order, none longer than two lines, each ending before the next one starts. */
export function* buildCues(words: readonly Word[]): Steps<Cue[]> {
  const groups: Word[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group && fitsInCue(group, word)) {
      group.push(word);
      continue;
    }
    groups.push([word]);
    if (groups.length % CUES_IN_STEP === 0) yield;
  }
  return groups.map((group, index) => {
    const start = group[0]?.start_time ?? 0;
    const spoken = Math.max(...group.map((word) => word.end_time), start + MIN_SECONDS);
    const next = groups[index + 1]?.[0]?.start_time ?? Number.POSITIVE_INFINITY;
    const end = Math.max(Math.min(spoken, next), start + 0.001);
    return { start, end, text: group.map((word) => word.word).join(' ') };
  });
}

function timestamp(seconds: number, mark: '.' | ','): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0');
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}${mark}${pad(ms % 1000, 3)}`;
}

/** Text must neither end its cue nor start a tag (WebVTT, 4.2.2; SubRip supports tags too). */
const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/\s+/g, ' ');

function* writeCues(words: readonly Word[], write: (cue: Cue, index: number) => string): Steps<string[]> {
  const written: string[] = [];
  for (const [index, cue] of (yield* buildCues(words)).entries()) {
    written.push(write(cue, index));
    if (index % CUES_IN_STEP === CUES_IN_STEP - 1) yield;
  }
  return written;
}

/** Returns WebVTT, in steps; without words, a file without cues. */
export function* webVtt(words: readonly Word[]): Steps<string> {
  const blocks = yield* writeCues(
    words,
    ({ start, end, text }) => `${timestamp(start, '.')} --> ${timestamp(end, '.')}\n${escapeMarkup(text)}`,
  );
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`;
}

/** Returns SubRip, in steps. Players show its text as is except for tags, so a look-alike replaces `<`. */
export function* subRip(words: readonly Word[]): Steps<string> {
  const blocks = yield* writeCues(words, ({ start, end, text }, index) => {
    const line = text.replaceAll('<', '‹').replaceAll('>', '›').replace(/\s+/g, ' ');
    return `${index + 1}\n${timestamp(start, ',')} --> ${timestamp(end, ',')}\n${line}\n`;
  });
  return blocks.join('\n');
}

/** Returns plain text with a blank line between paragraphs, in steps. */
export function* plainText(words: readonly Word[]): Steps<string> {
  const found = paragraphs(words);
  yield;
  const parts = found.map((part) => part.words.map((word) => word.word).join(' '));
  return parts.length > 0 ? `${parts.join('\n\n')}\n` : '';
}
