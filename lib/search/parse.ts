/** One thing that is looked for. */
export interface Term {
  /** As typed; more than one is a phrase, to be found one after the other. */
  words: string[];
  /** `-word`: entries with it are left out. */
  excluded: boolean;
  /** Typed in quotation marks: found as it stands. */
  quoted: boolean;
  /** The last word, which may still be unfinished. */
  prefix: boolean;
}

/** Beyond these nobody types, and each costs time. */
const MAX_QUERY_LENGTH = 500;
const MAX_WORDS = 24;

const QUOTES = /["“”„«»]/;
const TERM = /(-?)(?:["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\s"“”„«»]+))/gu;
// Postgres takes neither NUL nor half a surrogate pair.
const UNSTORABLE = /[\0\p{Cs}]/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * Reads what a person has typed: words, "phrases" and -exclusions. Never fails: what means nothing (a lone dash, an
 * open quotation mark, emoji) is passed over, and what is longer than anybody types is cut off.
 */
export function parseQuery(query: string): Term[] {
  const terms: Term[] = [];
  let left = MAX_WORDS;
  const typed = query.slice(0, MAX_QUERY_LENGTH).replace(UNSTORABLE, ' ').normalize('NFC');
  for (const [whole, dash, phrase, word] of typed.matchAll(TERM)) {
    const words = (phrase ?? word ?? '')
      .split(/\s+/u)
      .filter((part) => HAS_WORD.test(part))
      .slice(0, left);
    left -= words.length;
    if (words.length === 0) continue;
    terms.push({ words, excluded: dash === '-', quoted: QUOTES.test(whole), prefix: false });
  }
  const last = terms.at(-1);
  if (last && !last.quoted && !last.excluded) last.prefix = true;
  return terms;
}
