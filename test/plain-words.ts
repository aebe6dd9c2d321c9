import { spokenForm } from '@/lib/video/speech/spoken-form';

/** Sounds that may or may not be written. */
const FILLERS = /^(?:h?m+|mhm|u+h+|u+h*m+|e+r+m?|huh)$/;

/** Abbreviations, contractions, and British spellings, in the one form in which they're compared. */
const SPELLINGS: [RegExp, string][] = [
  [/[’‘]/g, "'"],
  [/\bmr\b\.?/g, 'mister'],
  [/\bmrs\b\.?/g, 'missus'],
  [/\bdr\b\.?/g, 'doctor'],
  [/\betc\b\.?/g, 'et cetera'],
  [/\bo'clock\b/g, 'o clock'],
  [/\bwon't\b/g, 'will not'],
  [/\b(?:can't|cannot)\b/g, 'can not'],
  [/\blet's\b/g, 'let us'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
  [/\bgotta\b/g, 'got to'],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/'m\b/g, ' am'],
  [/'d\b/g, ' would'],
  [/'s\b/g, ' is'],
  [/\b(?:okay|o\.k\.)/g, 'ok'],
  [/\balright\b/g, 'all right'],
  [/\b(him|her|it|my|thy|your|our|them)(self|selves)\b/g, '$1 $2'],
  [/\b(any|every|some)(one|body|thing|where)\b/g, '$1 $2'],
  [/\b(arm|behavi|col|endeav|fav|harb|hon|hum|lab|neighb|od|rum|sav|vap|vig)our/g, '$1or'],
  [/\bgrey/g, 'gray'],
  [/\bcentre/g, 'center'],
  [/\btheatre/g, 'theater'],
  [/\b(apolog|organ|real|recogn|symbol|emphas)is(e|ed|es|ing|ation)\b/g, '$1iz$2'],
];

/**
 * Returns a text's words as they're compared to count errors: lower case, without punctuation and fillers, with numbers,
 * contractions, and spellings in one form on both sides.
 */
export function plainWords(text: string): string[] {
  const spelled = SPELLINGS.reduce((plain, [from, to]) => plain.replace(from, to), text.toLowerCase());
  return spelled
    .replace(/[-–—/]/g, ' ')
    .split(/\s+/)
    .flatMap(spokenForm)
    .map((word) => word.replace(/'/g, ''))
    .filter((word) => word !== '' && !FILLERS.test(word));
}
