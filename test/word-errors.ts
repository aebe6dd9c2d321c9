/** Titles and compounds that may be written either way. */
const SPELLINGS: [RegExp, string][] = [
  [/\bmr\.?(?= )/g, 'mister'],
  [/-/g, ' '],
  [/[’']/g, "'"],
  [/[^a-z0-9' ]/g, ''],
];

const wordsOf = (text: string) =>
  SPELLINGS.reduce((plain, [pattern, spelling]) => plain.replace(pattern, spelling), text.toLowerCase())
    .split(' ')
    .filter(Boolean);

/** Counts the words that must be replaced, inserted or deleted to turn what was heard into what was said. */
export function wordErrors(said: string, heard: string): number {
  const target = wordsOf(said);
  let row = [0, ...target.map((_, index) => index + 1)];
  for (const [count, word] of wordsOf(heard).entries()) {
    const next = [count + 1];
    for (const [index, wanted] of target.entries()) {
      const replaced = (row[index] ?? 0) + (word === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
