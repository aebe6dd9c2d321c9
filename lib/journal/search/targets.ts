import { type SimilarWord, selectSimilarWords, selectTagNames, selectWordLexemes } from './queries';
import { parseQuery, type Term } from './shared/parse';
import { type IndexTerm, occurrences, toIndexTerms, type WordLexemes } from './terms';

/** A query as typed, and in the index's lexemes. */
export interface Targets {
  terms: Term[];
  readings: Map<string, WordLexemes>;
  index: IndexTerm[];
}

/** Parses a query and adds to each term the tags whose names match it. */
export async function readTargets(userId: string, query: string): Promise<Targets> {
  const terms = parseQuery(query);
  if (terms.length === 0) return { terms, readings: new Map(), index: [] };
  const words = [...new Set(terms.flatMap((term) => term.words))];
  const [readings, tags] = await Promise.all([selectWordLexemes(words), selectTagNames(userId)]);
  const index = toIndexTerms(terms, readings).map((target) => ({
    ...target,
    tagIds: tags.filter(({ name }) => occurrences(target, name).length > 0).map(({ id }) => id),
  }));
  return { terms, readings, index };
}

/** What a query may have meant, by words of the journal that look alike. */
export interface Correction {
  index: IndexTerm[];
  /** The query with its words as they're spelled in the journal. */
  spelling: string;
  /** The word that most entries have, for when no entry has all of them. */
  commonest: SimilarWord;
}

/** The index has stems, too; `lighthouse` is better to read than `lighthous`. */
function spellingOf(similar: SimilarWord[]): SimilarWord | undefined {
  const [best] = similar;
  return similar.find(({ word }) => best && word !== best.word && word.startsWith(best.word)) ?? best;
}

/** Returns what a query with typos may have meant. Null if no word of the journal looks like one of its words. */
export async function correctTargets(
  userId: string,
  { terms, readings, index }: Targets,
): Promise<Correction | null> {
  const units = index.filter((target) => !target.excluded).flatMap(({ words }) => words.flat(2));
  const typed = [...new Set(units.flatMap(({ forms }) => forms.slice(0, 1)))].filter(
    (word) => word.length > 3,
  );
  const similar =
    typed.length > 0 ? await selectSimilarWords(userId, typed) : new Map<string, SimilarWord[]>();
  const [commonest] = [...similar.values()]
    .flatMap((words) => spellingOf(words) ?? [])
    .sort((one, other) => other.entries - one.entries);
  if (!commonest) return null;
  const correct = (word: string) =>
    spellingOf(similar.get(readings.get(word)?.whole?.forms[0] ?? '') ?? [])?.word ?? word;
  const spelling = terms.map(({ words, excluded, quoted }) => {
    if (excluded) return `-${quoted ? `"${words.join(' ')}"` : words.join(' ')}`;
    const corrected = words.map(correct).join(' ');
    return quoted ? `"${corrected}"` : corrected;
  });
  return {
    index: index.map((target) => ({
      ...target,
      words: target.words.map((word) =>
        word.map((spelled) =>
          spelled.map((unit) => ({
            ...unit,
            forms: [...unit.forms, ...(similar.get(unit.forms[0] ?? '') ?? []).map((one) => one.word)],
          })),
        ),
      ),
    })),
    spelling: spelling.join(' '),
    commonest,
  };
}
