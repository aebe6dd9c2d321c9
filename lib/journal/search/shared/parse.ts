/** One thing to search for. */
export interface Term {
  /** As typed. More than one word is a phrase, whose words must follow each other. */
  words: string[];
  /** `-word`: excludes entries that contain it. */
  excluded: boolean;
  /** Typed in quotation marks: matched exactly. */
  quoted: boolean;
  /** The last word, which may be incomplete. */
  prefix: boolean;
}

/** Nobody types more than this, and each one costs time. */
const MAX_QUERY_LENGTH = 500;
const MAX_WORDS = 24;

const QUOTES = /["“”„«»]/;
const TERM = /(-?)(?:["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\s"“”„«»]+))/gu;
// Postgres accepts neither NUL nor half a surrogate pair.
const UNSTORABLE = /[\0\p{Cs}]/gu;
const HAS_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/**
 * Parses what a person typed: words, "phrases", and -exclusions. Never fails: skips what means nothing (a lone dash,
 * an unclosed quotation mark) and cuts off input that's longer than anybody types.
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
