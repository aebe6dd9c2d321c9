const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES: [number, string][] = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
];
const SYMBOLS: Record<string, string> = {
  ...{ $: 'dollars', '€': 'euros', '£': 'pounds', '%': 'percent', '°': 'degrees' },
  ...{ '&': 'and', '+': 'plus', '@': 'at', '=': 'equals' },
};
const CURRENCIES = '$€£';
/** Longer numbers are those of phones and cards. */
const LONGEST_AMOUNT = 9;

/**
 * Returns what somebody says for a written word, as lowercase words of letters and apostrophes: "$5" is "five dollars",
 * "2026" is "twenty twenty six". Empty if there's nothing to say.
 */
export function spokenForm(written: string): string[] {
  const plain = written.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'");
  // A currency stands before its amount and is said after it.
  const inOrder = plain.replace(new RegExp(`([${CURRENCIES}])([\\d.,]*\\d)`, 'g'), '$2$1');
  return Array.from(
    inOrder.matchAll(/\d(?:[\d,]*\d)?(?:[.:]\d+)?(?:st|nd|rd|th)?|[a-z]+(?:'[a-z]+)*'?|[$€£%°&+@=]/g),
    ([part]) => (/^\d/.test(part) ? sayNumber(part) : [SYMBOLS[part] ?? part]),
  ).flat();
}

function sayNumber(written: string): string[] {
  const [, digits = '', separator, fraction = '', ordinal] =
    /^(\d(?:[\d,]*\d)?)(?:([.:])(\d+))?(st|nd|rd|th)?$/.exec(written) ?? [];
  const isGrouped = digits.includes(',');
  const number = digits.replaceAll(',', '');
  const said = isYear(number) && !isGrouped && !separator ? sayYear(number) : sayAmount(number);
  if (ordinal) return [...said.slice(0, -1), ordinalOf(said.at(-1) ?? '')];
  if (separator === ':') return [...said, ...(Number(fraction) === 0 ? ['o', 'clock'] : sayAmount(fraction))];
  return separator ? [...said, 'point', ...sayDigits(fraction)] : said;
}

const isYear = (digits: string) => /^(1[1-9]|20[1-9])/.test(digits) && digits.length === 4;

const sayDigits = (digits: string) => Array.from(digits, (digit) => ONES[Number(digit)] ?? '');

function sayYear(digits: string): string[] {
  const [century, rest] = [digits.slice(0, 2), digits.slice(2)];
  if (rest === '00') return [...sayAmount(century), 'hundred'];
  return [...sayAmount(century), ...(rest.startsWith('0') ? ['oh'] : []), ...sayAmount(rest)];
}

function sayAmount(digits: string): string[] {
  return digits.length > LONGEST_AMOUNT ? sayDigits(digits) : sayCount(Number(digits));
}

function sayCount(count: number): string[] {
  if (count < ONES.length) return [ONES[count] ?? ''];
  const [size, name] = SCALES.find(([size]) => count >= size) ?? [10, ''];
  const rest = count % size === 0 ? [] : sayCount(count % size);
  if (size === 10) return [TENS[Math.floor(count / 10)] ?? '', ...rest];
  return [...sayCount(Math.floor(count / size)), name, ...rest];
}

const IRREGULAR_ORDINALS: Record<string, string> = {
  ...{ one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth', nine: 'ninth' },
  twelve: 'twelfth',
};

const ordinalOf = (word: string) => IRREGULAR_ORDINALS[word] ?? `${word.replace(/y$/, 'ie')}th`;
