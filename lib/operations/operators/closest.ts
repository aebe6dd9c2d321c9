/** Returns how many letters must be added, removed, or replaced to get from one word to another (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** How many letters a typo may get wrong. */
const MOST = 2;

/** Returns the word that was probably meant by one with a typo; undefined if none is similar. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .filter((word) => Math.abs(word.length - typed.length) <= MOST)
    .map((word) => ({ word, letters: distance(typed, word) }))
    .filter(({ letters }) => letters <= MOST)
    .sort((a, b) => a.letters - b.letters);
  return near[0]?.word;
}
