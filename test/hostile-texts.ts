/** The largest transcript that's accepted, in words. */
export const MAX_WORDS = 100_000;

const make = (count: number, word: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => word(index));

/** Each cut at a word that's unique to both finds a single one, which makes the next one unique. */
const peeling = (count: number): [string[], string[]] => [
  ['t2', 't1', ...make(count - 2, (n) => (n % 2 === 0 ? `t${n / 2 + 3}` : `t${(n + 3) / 2}`))],
  make(count, (n) => (n % 2 === 0 ? 'z' : `t${(n + 1) / 2}`)),
];

/** Pairs of texts that cost an algorithm most, by how many words each has. */
export const HOSTILE_TEXTS: Record<string, (count: number) => [string[], string[]]> = {
  'peels word by word': peeling,
  'peels from both ends': (count) => {
    const [one, other] = peeling(Math.floor(count / 2));
    const mirrored = (words: string[]) => [...words, ...words.toReversed().map((word) => `${word}r`)];
    return [mirrored(one), mirrored(other)];
  },
  'is all equal between other ends': (count) => [
    ['a', ...make(count - 2, () => 'x'), 'b'],
    ['c', ...make(Math.floor(count / 2), () => 'x'), 'd'],
  ],
  'is all distinct': (count) => [make(count, (n) => `a${n}`), make(count, (n) => `b${n}`)],
  'is distinct but for one word in two': (count) => [
    make(count, (n) => (n % 2 ? `w${n}` : `a${n}`)),
    make(count, (n) => (n % 2 ? `w${n}` : `b${n}`)),
  ],
  'is a palindrome, a word off': (count) => {
    const palindrome = make(count, (n) => `w${Math.min(n, count - 1 - n)}`);
    return [palindrome, ['z', ...palindrome.slice(1, -1), 'y']];
  },
  'is reversed': (count) => [make(count, (n) => `w${n}`), make(count, (n) => `w${count - 1 - n}`)],
  'is interleaved': (count) => [
    make(count, (n) => (n % 2 ? 'x' : `w${n}`)),
    make(count, (n) => (n % 2 ? `w${n - 1}` : 'y')),
  ],
  'repeats a period, half of it off': (count) => [
    make(count, (n) => `w${n % 700}`),
    ['q', ...make(count - 2, (n) => `w${(n + 350) % 700}`), 'r'],
  ],
  'has two parts in each word': (count) => [
    make(count, (n) => `a${n % 5000}-b${n % 3000}`),
    make(count, (n) => `c${n % 5000}-d${n % 3000}`),
  ],
  'has two words': (count) => [
    ['a', ...make(count - 2, (n) => (n % 2 ? 'x' : 'y')), 'b'],
    ['c', ...make(count - 2, (n) => (n % 3 ? 'x' : 'y')), 'd'],
  ],
};
