import type { z } from 'zod';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import type * as contract from '@/lib/portability/imports/archive/contract';

type ArchivedWord = ArchivedTranscript['revisions'][number]['words'][number];
type SentWord = z.input<typeof contract.importRevision.body>['words'][number];

// As the contract has them.
const MAX_WORDS = 100_000;
const MAX_CHARACTERS = 200;
const MAX_SECONDS = 1_000_000;

/** How far words may extend past the end of the video, in seconds: engines round up. */
const MAX_OVERRUN = 1;

/** Control characters but for tab and line feed, which the contract refuses. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

function repairText(word: unknown): string {
  if (typeof word !== 'string') return '';
  const clean = word.toWellFormed().normalize('NFC').replace(CONTROLS, ' ').trim();
  return [...clean].slice(0, MAX_CHARACTERS).join('').trim();
}

/**
 * Returns an archived revision's words as the contract takes them: in time order, within the video, and none of them empty.
 * Speech engines and people who edit archives don't always follow these rules, and the rest of an entry shouldn't be lost
 * for it.
 * @param duration the video's, in seconds; null if it isn't known
 */
export function repairWords(words: readonly ArchivedWord[], duration: number | null): SentWord[] {
  const last = Math.min(duration === null ? MAX_SECONDS : duration + MAX_OVERRUN, MAX_SECONDS);
  const within = (seconds: number, first: number) => Math.min(Math.max(seconds, first), last);
  return words
    .flatMap(({ word, start, end, confidence }): SentWord[] => {
      const text = repairText(word);
      if (text === '' || !Number.isFinite(start) || !Number.isFinite(end)) return [];
      const from = within(start, 0);
      const known = typeof confidence === 'number' ? Math.min(Math.max(confidence, 0), 1) : null;
      return [[text, from, within(end, from), known]];
    })
    .sort(([, one], [, other]) => one - other)
    .slice(0, MAX_WORDS);
}
