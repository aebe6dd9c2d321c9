import type { Word } from '@/lib/journal/transcripts/contract';
import { findDifferences, matchTokens } from './match-tokens';

/** A corrected transcript, and where it has the words of the one that was corrected. */
interface Side {
  words: readonly Word[];
  match: Int32Array;
}

/** A stretch of the base, from `from` up to `to`, and the words that a side put in its place. */
interface Change {
  side: Side;
  from: number;
  to: number;
  words: readonly Word[];
}

/** Changes of both sides that touch the same words, in order. */
interface Place {
  from: number;
  to: number;
  changes: Change[];
}

const textsOf = (words: readonly Word[]) => words.map(({ word }) => word);

const isSameText = (one: readonly Word[], two: readonly Word[]) =>
  one.length === two.length && one.every(({ word }, index) => word === two[index]?.word);

const isSameTime = (one: Word, two: Word) =>
  one.start_time === two.start_time && one.end_time === two.end_time;

function compare(base: readonly Word[], words: readonly Word[]): Side {
  return { words, match: matchTokens(textsOf(base), textsOf(words)) };
}

const findChanges = (side: Side): Change[] =>
  findDifferences(side.match, side.words.length).map(({ start, end, from, to }) => ({
    side,
    from: start,
    to: end,
    words: side.words.slice(from, to),
  }));

/** Joins changes that overlap, and words that both sides inserted at the same point. */
function findPlaces(changes: readonly Change[]): Place[] {
  const places: Place[] = [];
  for (const change of [...changes].sort((one, two) => one.from - two.from || one.to - two.to)) {
    const last = places.at(-1);
    const isSamePoint = change.from === last?.from && change.to === last.to;
    if (last && (change.from < last.to || isSamePoint)) {
      last.to = Math.max(last.to, change.to);
      last.changes.push(change);
    } else {
      places.push({ from: change.from, to: change.to, changes: [change] });
    }
  }
  return places;
}

/** Returns what a side has at a place. */
function wordsAt({ from, to, changes }: Place, side: Side): Word[] {
  const found: Word[] = [];
  const keep = (first: number, end: number) => {
    for (let index = first; index < end; index++) {
      const word = side.words[side.match[index] ?? -1];
      if (word) found.push(word);
    }
  };
  let next = from;
  for (const change of changes) {
    if (change.side !== side) continue;
    keep(next, change.from);
    for (const word of change.words) found.push(word);
    next = change.to;
  }
  keep(next, to);
  return found;
}

/** Merges a place in which both sides changed something. Mine stand where both changed the same words. */
function mergePlace(base: readonly Word[], mine: readonly Word[], theirs: readonly Word[]) {
  if (isSameText(mine, theirs)) return { words: theirs, hasConflict: false };
  if (mine.length !== base.length || theirs.length !== base.length) return { words: mine, hasConflict: true };
  let hasConflict = false;
  const words = mine.map((my, index) => {
    const [before, their] = [base[index]?.word, theirs[index] ?? my];
    if (their.word === before) return my;
    if (my.word === before || my.word === their.word) return their;
    hasConflict = true;
    return my;
  });
  return { words, hasConflict };
}

/** Moves words that start before the one they follow. */
function inTimeOrder(words: readonly Word[]): Word[] {
  let earliest = 0;
  return words.map((word) => {
    const start_time = Math.max(word.start_time, earliest);
    earliest = start_time;
    return start_time === word.start_time
      ? word
      : { ...word, start_time, end_time: Math.max(word.end_time, start_time) };
  });
}

/**
 * Merges two corrections of the same transcript. Changes of different words are all applied, and the same change on both
 * sides is one change. Where both changed the same words, mine stand. Words keep the times of the side that changed them.
 * @param base the words that both corrected, all in time order
 * @returns the words in time order, and whether some of theirs don't stand
 */
export function mergeCorrections(
  base: readonly Word[],
  mine: readonly Word[],
  theirs: readonly Word[],
): { words: Word[]; hasConflict: boolean } {
  const [my, their] = [compare(base, mine), compare(base, theirs)];
  const words: Word[] = [];
  // One at a time: a call has no space for 100,000 arguments.
  const add = (merged: readonly Word[]) => {
    for (const word of merged) words.push(word);
  };
  let hasConflict = false;
  let next = 0;
  function keepUntil(end: number) {
    for (; next < end; next++) {
      const original = base[next];
      const myWord = mine[my.match[next] ?? -1];
      const theirWord = theirs[their.match[next] ?? -1];
      if (!original || !myWord || !theirWord) continue;
      words.push(isSameTime(theirWord, original) ? myWord : theirWord);
    }
  }
  for (const place of findPlaces([...findChanges(my), ...findChanges(their)])) {
    keepUntil(place.from);
    const [myWords, theirWords] = [wordsAt(place, my), wordsAt(place, their)];
    const isOnlyMine = place.changes.every(({ side }) => side === my);
    const isOnlyTheirs = place.changes.every(({ side }) => side === their);
    if (isOnlyMine) add(myWords);
    else if (isOnlyTheirs) add(theirWords);
    else {
      const merged = mergePlace(base.slice(place.from, place.to), myWords, theirWords);
      add(merged.words);
      hasConflict ||= merged.hasConflict;
    }
    next = Math.max(next, place.to);
  }
  keepUntil(base.length);
  return { words: inTimeOrder(words), hasConflict };
}
