import type { IndexTerm, Unit } from './terms';

/** Stands where a shelf's six characters go; no lexeme holds it. */
export const PARTITION_PLACEHOLDER = '~';

const lexeme = (text: string) =>
  `'${PARTITION_PLACEHOLDER}${text.replace(/['\\]/g, '$&$&').replaceAll(PARTITION_PLACEHOLDER, '')}'`;
const tagLexeme = (id: string) => lexeme(`#${id.replaceAll('-', '')}`);
const anyOf = (parts: string[]) => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`);

function unitQuery({ forms, begins }: Unit, mark: string): string {
  const exact = forms.filter((form) => form !== begins).map((form) => lexeme(mark + form));
  return anyOf(begins === null ? exact : [...exact, `${lexeme(mark + begins)}:*`]);
}

function targetQuery({ words, tagIds }: IndexTerm, mark = ''): string {
  const rows = words.map((word) =>
    anyOf(word.map((units) => `(${units.map((unit) => unitQuery(unit, mark)).join(' <-> ')})`)),
  );
  return anyOf([`(${rows.join(' <-> ')})`, ...tagIds.map(tagLexeme)]);
}

/** Counted as written, or else by stems: both at once would count an inflected word twice. */
function ranking(wanted: IndexTerm[], asWritten: boolean): string {
  const units = wanted.flatMap(({ words }) => words.flat(2));
  const counted = units.map(({ forms, begins }) =>
    unitQuery({ forms: asWritten || forms.length < 2 ? forms.slice(0, 1) : forms.slice(1), begins }, ''),
  );
  return anyOf([...new Set([...counted, ...wanted.flatMap(({ tagIds }) => tagIds.map(tagLexeme))])]);
}

export interface TsQueries {
  /** What an entry must hold. */
  all: string;
  /** What it holds in title or tags, where that comes first; null when nothing is looked for by word. */
  head: string | null;
  /** What its rank is counted from, whichever gives the most; none likewise. */
  rank: string[];
}

/** The queries for a shelf, with {@link PARTITION_PLACEHOLDER} in place of it. Entries must carry all of the tags `carried`. */
export function tsQueries(targets: IndexTerm[], carried: string[]): TsQueries {
  const wanted = targets.filter((target) => !target.excluded);
  const excluded = targets.filter((target) => target.excluded);
  const must = [...wanted.map((target) => targetQuery(target)), ...carried.map(tagLexeme)];
  const all = [
    ...(must.length > 0 ? must : [lexeme('*')]),
    ...excluded.map((target) => `!${targetQuery(target)}`),
  ];
  if (wanted.length === 0) return { all: all.join(' & '), head: null, rank: [] };
  return {
    all: all.join(' & '),
    head: anyOf(wanted.map((target) => targetQuery(target, '^'))),
    rank: [...new Set([ranking(wanted, true), ranking(wanted, false)])],
  };
}
