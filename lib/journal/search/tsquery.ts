import type { IndexTerm, Unit } from './terms';

/** Placeholder for a partition's six characters; no lexeme contains it. */
export const PARTITION_PLACEHOLDER = '~';

/** What marks a lexeme to match only where it's spoken. */
const SPOKEN = 'C';

const lexeme = (text: string) =>
  `'${PARTITION_PLACEHOLDER}${text.replace(/['\\]/g, '$&$&').replaceAll(PARTITION_PLACEHOLDER, '')}'`;
const tagLexeme = (id: string) => lexeme(`#${id.replaceAll('-', '')}`);
const anyOf = (parts: string[]) => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`);

function unitQuery({ forms, begins }: Unit, mark: string, weight = ''): string {
  const at = weight && `:${weight}`;
  const exact = forms.filter((form) => form !== begins).map((form) => lexeme(mark + form) + at);
  return anyOf(begins === null ? exact : [...exact, `${lexeme(mark + begins)}:*${weight}`]);
}

/** Returns a query for units in a row. Near ones are compared in pairs, since an operator has one distance. */
function sequenceQuery(units: Unit[], mark: string, weight: string): string {
  const queries = units.map((unit) => unitQuery(unit, mark, weight));
  if (queries.length < 2 || !units.some(({ isNear }) => isNear)) return `(${queries.join(' <-> ')})`;
  const pairs = queries.slice(1).map((query, index) => {
    const before = queries[index];
    const following = `${before} <-> ${query}`;
    return units[index + 1]?.isNear ? `(${before} <0> ${query} | ${following})` : `(${following})`;
  });
  return `(${pairs.join(' & ')})`;
}

function targetQuery({ words, tagIds }: IndexTerm, mark = '', weight = ''): string {
  const rows = words.map((word) => anyOf(word.map((units) => sequenceQuery(units, mark, weight))));
  return anyOf([`(${rows.join(' <-> ')})`, ...tagIds.map(tagLexeme)]);
}

/** Returns a query to rank by words as written or by stems. Both at once would count inflected words twice. */
function ranking(wanted: IndexTerm[], asWritten: boolean): string {
  const units = wanted.flatMap(({ words }) => words.flat(2));
  const counted = units.map(({ forms, begins }) =>
    unitQuery({ forms: asWritten || forms.length < 2 ? forms.slice(0, 1) : forms.slice(1), begins }, ''),
  );
  return anyOf([...new Set([...counted, ...wanted.flatMap(({ tagIds }) => tagIds.map(tagLexeme))])]);
}

export interface TsQueries {
  /** What an entry must match. */
  all: string;
  /** What it matches in the title or tags, which ranks first; null if there are no words to search for. */
  head: string | null;
  /** What its rank is computed from, using the highest; empty if there are no words to search for. */
  rank: string[];
}

/** Joins what an entry must match: the parts, the tags `carried`, and none of the excluded terms. */
function allOf(parts: string[], carried: string[], targets: IndexTerm[]): string {
  const must = [...parts, ...carried.map(tagLexeme)];
  const excluded = targets.filter((target) => target.excluded).map((target) => `!${targetQuery(target)}`);
  return [...(must.length > 0 ? must : [lexeme('*')]), ...excluded].join(' & ');
}

/**
 * Returns the queries for a partition, with {@link PARTITION_PLACEHOLDER} in its place. Entries must have all of the
 * tags `carried`.
 */
export function tsQueries(targets: IndexTerm[], carried: string[]): TsQueries {
  const wanted = targets.filter((target) => !target.excluded);
  const all = allOf(
    wanted.map((target) => targetQuery(target)),
    carried,
    targets,
  );
  if (wanted.length === 0) return { all, head: null, rank: [] };
  return {
    all,
    head: anyOf(wanted.map((target) => targetQuery(target, '^'))),
    rank: [...new Set([ranking(wanted, true), ranking(wanted, false)])],
  };
}

/**
 * Returns a query for the entries in which all the words are spoken, null if there are no words. Like those of
 * {@link tsQueries}, it's for a partition.
 */
export function spokenQuery(targets: IndexTerm[], carried: string[]): string | null {
  const wanted = targets.filter((target) => !target.excluded);
  if (wanted.length === 0) return null;
  const spoken = wanted.map((target) => targetQuery({ ...target, tagIds: [] }, '', SPOKEN));
  return allOf(spoken, carried, targets);
}
