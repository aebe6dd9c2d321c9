import type { StoredWord } from '@/db/schema/transcripts';
import type { SearchResult } from './contract';
import type { MatchRow } from './match-queries';
import { selectWords } from './queries';
import { type IndexTerm, mergeRuns, occurrences, type Positions } from './terms';

const [ZERO, NINE, SPOKEN] = [48, 57, 67];

/**
 * Reads the positions of weight C, which only transcript words have, from a list such as `1C,5A` between two offsets.
 * Parses digit by digit, because a prefix can have ten thousand of them.
 */
function spokenAt(vector: string, from: number, until: number): number[] {
  const positions: number[] = [];
  let position = 0;
  for (let at = from; at < until; at += 1) {
    const code = vector.charCodeAt(at);
    if (code >= ZERO && code <= NINE) position = position * 10 + code - ZERO;
    else {
      if (code === SPOKEN) positions.push(position);
      position = 0;
    }
  }
  return positions;
}

/**
 * Returns where the searched words are spoken, read from a search vector as Postgres writes it (`'a1b2c3sea':4C,17C
 * 'a1b2c3sun':2A`), which is much faster than having Postgres unnest it.
 * @param shelf the prefix of every lexeme
 */
function spokenPositions(vector: string, shelf: string, targets: IndexTerm[]): Positions {
  const found: Positions = new Map();
  const units = targets.flatMap(({ words }) => words.flat(2));
  const starts = new Set(
    units.flatMap(({ forms, begins }) => [...forms.map((form) => `${form}'`), begins ?? []].flat()),
  );
  for (const start of starts) {
    const sought = `'${shelf}${start}`;
    for (let at = vector.indexOf(sought); at >= 0; at = vector.indexOf(sought, at + 1)) {
      const end = vector.indexOf("'", at + 1);
      const until = vector.indexOf(' ', end);
      const lexeme = vector.slice(at + 1 + shelf.length, end);
      found.set(lexeme, spokenAt(vector, end + 2, until < 0 ? vector.length : until));
    }
  }
  return found;
}

type Match = SearchResult['matches'][number];

/** The numbers of the first and last matching words, counted from 1. */
type Occurrence = [first: number, last: number];

/** The most snippets per result. */
const MAX_SNIPPETS = 2;
/** How many words to show at most before and after the first matching one. */
const BEFORE = 12;
const AFTER = 16;

const SENTENCE_END = /[.?!…]["”’)]?$/;

/** An index doesn't tell higher positions apart (a Postgres limit), so they don't point to a time. */
const LAST_POSITION = 16_382;

/** Returns the moments to show: the first occurrence, and then each first one that the snippet before doesn't include. */
function pickOccurrences(found: Occurrence[]): Occurrence[] {
  const picked: Occurrence[] = [];
  for (const occurrence of found) {
    const shown = picked.at(-1);
    if (occurrence[1] > LAST_POSITION) break;
    if (!shown || occurrence[0] > shown[0] + AFTER) picked.push(occurrence);
  }
  return picked;
}

/** Returns the range of words that each snippet shows, without overlaps. */
function rangesAround(picked: Occurrence[]): { from: number; to: number }[] {
  let shown = 0;
  return picked.map(([first]) => {
    const stretch = { from: Math.max(shown + 1, first - BEFORE), to: first + AFTER };
    shown = stretch.to;
    return stretch;
  });
}

/**
 * Returns the part of the words from the start of the sentence with the first matching word to the end of the one with
 * the last, as indexes. A sentence that's longer is cut off.
 */
function wholeSentences(
  words: StoredWord[],
  firstHit: number,
  lastHit: number,
): [from: number, until: number] {
  const ends = (index: number) => SENTENCE_END.test(words[index]?.[0] ?? '');
  let from = firstHit;
  while (from > 0 && !ends(from - 1)) from -= 1;
  let until = Math.min(lastHit + 1, words.length);
  while (until < words.length && !ends(until - 1)) until += 1;
  return [from, until];
}

/**
 * Builds a snippet with its matching words marked.
 * @param words the words around the match, which the snippet doesn't need to show all
 * @param from the number of the first of them
 */
function snippet(words: StoredWord[], from: number, [start]: Occurrence, found: Occurrence[]): Match | null {
  const hit = words[start - from];
  if (!hit) return null;
  const near = found.filter(([first, last]) => last >= start && first < from + words.length);
  const [begin, until] = wholeSentences(words, start - from, (near.at(-1)?.[1] ?? start) - from);
  let text = '';
  const marks: [number, number][] = [];
  for (const [index, [word]] of words.entries()) {
    if (index < begin || index >= until) continue;
    const number = from + index;
    if (text) text += ' ';
    const at = text.length;
    text += word;
    if (!near.some(([first, last]) => first <= number && number <= last)) continue;
    // Merge a phrase into one mark.
    const last = marks.at(-1);
    if (last && near.some(([first, end]) => first < number && number <= end)) last[1] = text.length;
    else marks.push([at, text.length]);
  }
  return { start_time: hit[1], text, marks };
}

/** The moments of an entry that match: snippets of the first ones, and how many more there are. */
export type Moments = Pick<SearchResult, 'matches' | 'more'>;

/** Returns the moments of each entry whose transcript contains one of the words, by its id. */
export async function selectMoments(rows: MatchRow[], targets: IndexTerm[]): Promise<Map<string, Moments>> {
  const wanted = targets.filter((target) => !target.excluded);
  const hits = rows
    .map(({ id, vector, shelf }) => {
      const positions = spokenPositions(vector, shelf, wanted);
      const found = mergeRuns(wanted.map((target) => occurrences(target, positions)));
      const moments = pickOccurrences(found);
      const picked = moments.slice(0, MAX_SNIPPETS);
      const next = moments[MAX_SNIPPETS];
      const ranges = rangesAround(picked);
      // Of the next one, its time is enough.
      if (next) ranges.push({ from: next[0], to: next[0] });
      return { entryId: id, found, picked, next, more: moments.length - picked.length, ranges };
    })
    .filter(({ picked }) => picked.length > 0);
  const words = await selectWords(hits);
  return new Map(
    hits.map(({ entryId, found, picked, next, more, ranges }, nth) => {
      const said = words[nth] ?? [];
      let read = 0;
      const matches = picked.flatMap((occurrence, index) => {
        const { from, to } = ranges[index] ?? { from: 1, to: 0 };
        const around = said.slice(read, read + to - from + 1);
        read += around.length;
        return snippet(around, from, occurrence, found) ?? [];
      });
      const following = next && said[read];
      return [entryId, { matches, more: following ? { count: more, start_time: following[1] } : null }];
    }),
  );
}
