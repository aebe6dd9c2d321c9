import { normalizeText } from '@/components/journal/transcript/find-words';
import type { SearchResult } from '@/lib/journal/search/contract';
import { parseQuery, type Term } from '@/lib/journal/search/shared/parse';
import { UNSPACED } from '@/lib/journal/search/shared/unspaced';
import type { ViewerMonth } from '@/lib/portability/exports/format';
import type { ViewerEntry } from './journal';

/** An entry in the form that's searched: strings, since a million words as objects would take too much memory. */
export interface Searchable {
  entry: ViewerEntry;
  /** The language of its words, BCP 47. */
  language: string | null;
  /** Title, tags, question, and notes, each on a line, folded. */
  about: string;
  /** The transcript, with one space between words. */
  words: string;
  /** The same words, folded. */
  folded: string;
  /** When each word is said, in seconds. */
  starts: Float32Array;
}

/** Punctuation at either end of a word. */
const AROUND_WORD =
  /(?<=^|\s)[^\p{L}\p{N}\p{Extended_Pictographic}\s]+|[^\p{L}\p{N}\p{Extended_Pictographic}\s]+(?=\s|$)/gu;

/** Removes case, accents, and punctuation around words. The spaces between words stay. */
const foldText = (text: string): string => normalizeText(text).replaceAll('’', "'").replace(AROUND_WORD, '');

const aboutText = ({ title, tags, question, notes }: ViewerEntry): string =>
  [title, ...tags.map(({ name }) => name), question ?? '', ...notes.map(({ text }) => text)]
    .map((text) => foldText(text).replaceAll('\n', ' '))
    .join('\n');

/** Prepares entries of a month for {@link matchEntry}. @param month their words; null if there are none */
export function toSearchable(entries: readonly ViewerEntry[], month: ViewerMonth | null): Searchable[] {
  return entries.map((entry) => {
    const { words: spoken = [], language = null } = month?.[entry.id] ?? {};
    const words = spoken.map(([word]) => word.replace(/\s+/g, '_')).join(' ');
    return {
      entry,
      language,
      about: aboutText(entry),
      words,
      folded: foldText(words),
      starts: Float32Array.from(spoken, ([, start]) => start),
    };
  });
}

type Passage = SearchResult['matches'][number];

/** A term of a query, folded like the texts it's looked for in. */
interface Wanted {
  text: string;
  /** How many words it has. */
  length: number;
  /** Whether words have to be the same, and not only begin the same. */
  exact: boolean;
  excluded: boolean;
}

/** A run of words in the transcript. */
interface Hit {
  first: number;
  length: number;
}

/** The most passages of one entry that are shown. */
const MAX_PASSAGES = 5;
/** How many words are shown around a hit. Hits closer than this share a passage, up to a limit. */
const CONTEXT = 6;
const MAX_PASSAGE_WORDS = 40;

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Reads a query as the site does: words, “quoted phrases”, and -excluded words. */
export const readQuery = (query: string): Wanted[] =>
  parseQuery(query)
    .map(({ words, excluded, quoted }: Term) => ({
      text: foldText(words.join(' ')),
      length: words.length,
      exact: quoted,
      excluded,
    }))
    .filter(({ text }) => text !== '');

/** Returns where a term is in a folded text, as offsets. @param limit how many to find at most */
function findTerm(text: string, { text: wanted, exact }: Wanted, limit = Number.POSITIVE_INFINITY): number[] {
  const anywhere = UNSPACED.test(wanted.slice(0, 2));
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && found.length < limit; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const inside =
      (at > 0 && WORD_CHARACTER.test(text.charAt(at - 1))) ||
      (exact && end < text.length && WORD_CHARACTER.test(text.charAt(end)));
    if (anywhere || !inside) found.push(at);
  }
  return found;
}

/** Turns ascending offsets into indexes of words by counting spaces. */
function toHits(folded: string, offsets: readonly number[], length: number): Hit[] {
  let word = 0;
  let from = 0;
  return offsets.map((offset) => {
    for (let at = folded.indexOf(' ', from); at >= 0 && at < offset; at = folded.indexOf(' ', from)) {
      word++;
      from = at + 1;
    }
    return { first: word, length };
  });
}

function toPassage(words: readonly string[], hits: readonly Hit[], starts: Float32Array): Passage {
  const first = hits[0]?.first ?? 0;
  const last = Math.max(...hits.map((hit) => hit.first + hit.length - 1));
  const from = Math.max(0, first - CONTEXT);
  const marked = new Set(hits.flatMap((hit) => Array.from({ length: hit.length }, (_, i) => hit.first + i)));
  const marks: Passage['marks'] = [];
  let text = '';
  for (let index = from; index < Math.min(words.length, last + CONTEXT + 1); index++) {
    if (text) text += ' ';
    const word = words[index] ?? '';
    if (marked.has(index)) marks.push([text.length, text.length + word.length]);
    text += word;
  }
  return { start_time: Math.round((starts[first] ?? 0) * 1000) / 1000, text, marks };
}

/** Cuts out the passages that contain the hits. */
function toPassages({ words, starts }: Searchable, hits: Hit[]): Passage[] {
  const inOrder = hits.sort((one, other) => one.first - other.first);
  const groups: Hit[][] = [];
  for (const hit of inOrder) {
    const group = groups.at(-1);
    const begin = group?.[0]?.first ?? 0;
    const isNear = group && hit.first - (group.at(-1)?.first ?? 0) <= CONTEXT;
    if (isNear && hit.first - begin < MAX_PASSAGE_WORDS) group.push(hit);
    else if (groups.length === MAX_PASSAGES) break;
    else groups.push([hit]);
  }
  const all = words.split(' ');
  return groups.map((group) => toPassage(all, group, starts));
}

/**
 * Returns the result for an entry that has every term in its title, tags, notes, or transcript, and no excluded one;
 * null for others.
 */
export function matchEntry(searchable: Searchable, terms: readonly Wanted[]): SearchResult | null {
  const { entry, language, about, folded } = searchable;
  const hits: Hit[] = [];
  for (const term of terms) {
    const offsets = findTerm(folded, term, term.excluded ? 1 : undefined);
    const found = offsets.length > 0 || findTerm(about, term, 1).length > 0;
    if (found === term.excluded) return null;
    hits.push(...toHits(folded, offsets, term.length));
  }
  const { id, title, thumbnail, date, duration, tags } = entry;
  const matches = hits.length > 0 ? toPassages(searchable, hits) : [];
  return { id, title, thumbnail, date, duration, language, tags, matches, more: null };
}
