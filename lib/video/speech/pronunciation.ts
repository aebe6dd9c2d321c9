/**
 * How English letters sound, longest first, in the phones of the CMU dictionary. `^` is the start of a word, and `$` its
 * end. Words that are in the dictionary don't come here: these are names, typos, and words that nobody has said before.
 * It only has to be close, since an aligner needs to know about how long each sound is, and in which order.
 */
const SOUNDS: [spelling: string, phones: string][] = [
  ...spell('ough$ OW', 'tion SH AH N', 'sion ZH AH N', 'ture CH ER', 'eigh EY', 'tch CH', 'igh AY', 'sch SH'),
  ...spell(
    'dge JH',
    'que$ K',
    'eau OW',
    'oor AO R',
    'our AW ER',
    'air EH R',
    'ear IH R',
    'eer IH R',
    'ire AY ER',
  ),
  ...spell(
    'ure Y UH R',
    'are EH R',
    'ere IH R',
    'ore AO R',
    'cqu K W',
    'qu K W',
    '^kn N',
    '^wr R',
    '^ps S',
    '^x Z',
  ),
  ...spell(
    '^gn N',
    'mb$ M',
    'gn$ N',
    'le$ AH L',
    'ed$ D',
    'ey$ IY',
    'ie$ IY',
    'y$ IY',
    'o$ OW',
    'i$ IY',
    'e$ ',
  ),
  ...spell(
    'ph F',
    'gh G',
    'ch CH',
    'sh SH',
    'th TH',
    'wh W',
    'ck K',
    'ng NG',
    'nk NG K',
    'ee IY',
    'ea IY',
    'oo UW',
  ),
  ...spell('oa OW', 'ou AW', 'ow OW', 'oi OY', 'oy OY', 'ai EY', 'ay EY', 'au AO', 'aw AO', 'ei IY', 'ie IY'),
  ...spell(
    'ew UW',
    'eu UW',
    'ue UW',
    'ui UW',
    'oe OW',
    'ar AA R',
    'er ER',
    'ir ER',
    'or AO R',
    'ur ER',
    'yr IH R',
  ),
  ...spell(
    'ce S',
    'ci S IH',
    'cy S IY',
    'ge JH',
    'gi JH IH',
    'gy JH IY',
    'a AE',
    'b B',
    'c K',
    'd D',
    'e EH',
  ),
  ...spell(
    'f F',
    'g G',
    'h HH',
    'i IH',
    'j JH',
    'k K',
    'l L',
    'm M',
    'n N',
    'o AA',
    'p P',
    'q K',
    'r R',
    's S',
  ),
  ...spell('t T', 'u AH', 'v V', 'w W', 'x K S', '^y Y', 'y IH', 'z Z'),
];
/** A vowel before one consonant and a silent e. */
const LONG_VOWELS: Record<string, string> = { a: 'EY', e: 'IY', i: 'AY', o: 'OW', u: 'UW', y: 'AY' };

function spell(...rules: string[]): [string, string][] {
  return rules.map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]);
}

/**
 * Guesses the phones of a lowercase English word, separated by spaces. Returns null if there's no vowel to say it with,
 * in which case it's spelled letter by letter.
 */
export function guessPhones(word: string): string | null {
  if (!/[aeiouy]/.test(word)) return null;
  // Double consonants sound once.
  const letters = `^${word.replace(/[^a-z]/g, '').replace(/([^aeiou])\1/g, '$1')}$`;
  const phones: string[] = [];
  let at = 1;
  while (at < letters.length - 1) {
    const long = /^[aeiouy][^aeiouywxr]e\$/.test(letters.slice(at)) && LONG_VOWELS[letters[at] ?? ''];
    const [spelling, sound] = long ? [letters.charAt(at), long] : findSound(letters, at);
    if (sound) phones.push(sound);
    at += spelling.replace(/[$^]/g, '').length;
  }
  return phones.join(' ') || null;
}

function findSound(letters: string, at: number): [string, string] {
  const sound = SOUNDS.find(([spelling]) =>
    letters.startsWith(spelling, spelling.startsWith('^') ? at - 1 : at),
  );
  return sound ?? [letters.charAt(at), ''];
}
