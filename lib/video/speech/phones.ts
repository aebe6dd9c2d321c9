/**
 * How English letters sound, longest first, in the phones of the CMU dictionary. `^` is the start of a word, and `$` its
 * end. Words that are in the dictionary don't come here: these are names, typos, and words that nobody has said before.
 * It only has to be close, since an aligner needs to know about how long each sound is, and in which order.
 */
const SOUNDS = `
  ough$ OW, tion SH AH N, sion ZH AH N, ture CH ER, eigh EY, tch CH, igh AY, sch SH, dge JH, que$ K,
  eau OW, oor AO R, our AW ER, air EH R, ear IH R, eer IH R, ire AY ER, ure Y UH R, are EH R,
  ere IH R, ore AO R, cqu K W, qu K W, ^kn N, ^wr R, ^ps S, ^x Z, ^gn N, mb$ M, gn$ N, le$ AH L,
  ed$ D, ey$ IY, ie$ IY, y$ IY, o$ OW, i$ IY, e$, ph F, gh G, ch CH, sh SH, th TH, wh W, ck K,
  ng NG, nk NG K, ee IY, ea IY, oo UW, oa OW, ou AW, ow OW, oi OY, oy OY, ai EY, ay EY, au AO,
  aw AO, ei IY, ie IY, ew UW, eu UW, ue UW, ui UW, oe OW, ar AA R, er ER, ir ER, or AO R, ur ER,
  yr IH R, ce S, ci S IH, cy S IY, ge JH, gi JH IH, gy JH IY, a AE, b B, c K, d D, e EH, f F, g G,
  h HH, i IH, j JH, k K, l L, m M, n N, o AA, p P, q K, r R, s S, t T, u AH, v V, w W, x K S, ^y Y,
  y IH, z Z
`
  .split(',')
  .map((rule) => {
    const [spelling = '', ...phones] = rule.trim().split(' ');
    return [spelling, phones.join(' ')] as const;
  });

/** A vowel before one consonant and a silent e. */
const LONG_VOWELS: Record<string, string> = { a: 'EY', e: 'IY', i: 'AY', o: 'OW', u: 'UW', y: 'AY' };

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
    const rule = SOUNDS.find(([spelling]) =>
      letters.startsWith(spelling, spelling.startsWith('^') ? at - 1 : at),
    );
    const [spelling, sound] = long ? [letters.charAt(at), long] : (rule ?? [letters.charAt(at), '']);
    if (sound) phones.push(sound);
    at += spelling.replace(/[$^]/g, '').length;
  }
  return phones.join(' ') || null;
}

const VOWELS = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' ');
const CONSONANTS = 'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ');
const PHONES = [...VOWELS, ...CONSONANTS];

/** Phones that are easily mistaken for each other: they differ in voice or place only, or a vowel's color. */
const ALIKE = new Set(
  [
    'B P,D T,G K,V F,DH TH,Z S,ZH SH,JH CH,M N,N NG,M NG,L R,W UW,Y IY,T TH,D DH,V B,F TH,SH S,SH CH,ZH JH,ER R',
    'IH IY,IH EY,IY EY,EH AE,EH IH,AH UH,AH AA,AH AO,AA AO,AO OW,UW UH,AE AA,AH IH,AH EH,ER AH,AY AA,EY EH,OW UW',
    'AW AA,AH AE',
  ]
    .flatMap((line) => line.split(','))
    .flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]),
);

/** How much it costs to leave each phone out. Vowels are what voices differ in most. */
const OMISSIONS = PHONES.map((phone) => (VOWELS.includes(phone) || /^(?:HH|T|D)$/.test(phone) ? 0.5 : 0.8));

/** How much it costs to take each phone for each other one. */
const SUBSTITUTIONS = PHONES.map((one) => PHONES.map((other) => substitution(one, other)));

function substitution(one: string, other: string): number {
  if (one === other) return 0;
  const vowels = [one, other].filter((phone) => VOWELS.includes(phone)).length;
  if (ALIKE.has(`${one} ${other}`)) return vowels === 2 ? 0.25 : 0.4;
  return [1, 1.2, 0.5][vowels] ?? 1;
}

/** Returns the phones that a text in the symbols of the CMU dictionary names, as numbers. */
export const parsePhones = (text: string): number[] =>
  text
    .split(' ')
    .map((phone) => PHONES.indexOf(phone))
    .filter((phone) => phone >= 0);

/**
 * Returns how different two words sound, given their phones: a weighted edit distance over the length of the longer
 * one. 0 is the same, and about 1 nothing in common.
 */
export function phoneDistance(a: readonly number[], b: readonly number[]): number {
  let row = [0];
  for (const phone of b) row.push((row.at(-1) ?? 0) + (OMISSIONS[phone] ?? 0));
  for (const phone of a) {
    const costs = SUBSTITUTIONS[phone] ?? [];
    const omission = OMISSIONS[phone] ?? 0;
    const next = [(row[0] ?? 0) + omission];
    for (let index = 0; index < b.length; index++) {
      const other = b[index] ?? 0;
      const replaced = (row[index] ?? 0) + (costs[other] ?? 0);
      const omitted = (row[index + 1] ?? 0) + omission;
      const inserted = (next[index] ?? 0) + (OMISSIONS[other] ?? 0);
      next.push(Math.min(replaced, omitted, inserted));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(a.length, b.length, 1);
}
