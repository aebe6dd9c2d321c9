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
