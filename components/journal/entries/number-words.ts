const WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Returns a number as a word, or in digits if it's larger than `upTo`, which is at most twelve. */
export const numberInWords = (count: number, upTo = 9): string =>
  (count <= upTo && WORDS[count - 1]) || count.toLocaleString('en-US');

/** Returns a text with a capital letter at its start. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns how long ago something was, such as 'two years ago'. */
export const yearsAgo = (years: number): string =>
  `${numberInWords(years, 12)} ${years === 1 ? 'year' : 'years'} ago`;
