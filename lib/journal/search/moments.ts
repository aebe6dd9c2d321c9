import type { SearchResult } from './contract';
import type { MatchRow } from './match-queries';
import { selectWords } from './queries';
import { MAX_SNIPPETS, pickOccurrences, rangesAround, snippet } from './snippets';
import { spokenPositions } from './spoken-positions';
import { type IndexTerm, mergeRuns, occurrences } from './terms';

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
