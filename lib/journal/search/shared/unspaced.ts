/**
 * A letter of a script that's written without spaces, of Hangul, whose words grow, or an emoji: a match may begin and end
 * anywhere. The index has ranges for the same (`search_glyph`).
 */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/u;
