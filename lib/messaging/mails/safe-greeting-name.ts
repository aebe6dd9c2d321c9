const MAX_CHARACTERS = 40;
const MAX_WORDS = 5;

// Letters, with combining marks, then hyphens and apostrophes within or at the end of a word. Modifier letters are left
// out, as some look like dots and colons, but for those that Japanese, Hawaiian and Arabic names are written with.
const LETTER = String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{Lo}々ーʻʼʾʿ]\p{M}{0,3}`;
const NAME_WORD = new RegExp(`^['’]?${LETTER}(?:[-‐'’]?${LETTER})*['’]?$`, 'u');

/** Small words of names. Any other lower-case word beside two more makes a sentence. */
const PARTICLES = new Set(
  'a abu al ap af av bin bint da dal das de del della der des di do dos du e el en ibn la las le los of san st te ten ter und van vander vom von y zu zum zur'.split(
    ' ',
  ),
);

function looksLikeName(text: string): boolean {
  if ([...text].length > MAX_CHARACTERS) return false;
  const words = text.split(' ');
  if (words.length > MAX_WORDS || !words.every((word) => NAME_WORD.test(word))) return false;
  return words.length < 3 || words.every((word) => PARTICLES.has(word) || /[\p{Lu}\p{Lt}\p{Lo}]/u.test(word));
}

/**
 * Returns what a person calls themselves if it looks like a name and like nothing else, so that an email can greet
 * by it; else undefined. Anyone can type anything as the name of an account and have an email sent to a stranger:
 * mail clients turn addresses, also without a scheme, into links.
 */
export function safeGreetingName(text: string): string | undefined {
  const name = text.trim().normalize('NFC');
  return looksLikeName(name) ? name : undefined;
}
