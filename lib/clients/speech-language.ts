/**
 * The names that OpenAI's API and other Whisper servers return instead of a tag: `LANGUAGES` and `TO_LANGUAGE_CODE`
 * from openai/whisper, `whisper/tokenizer.py`.
 */
const WHISPER_NAMES = `
  en english, zh chinese, de german, es spanish, ru russian, ko korean, fr french, ja japanese, pt portuguese,
  tr turkish, pl polish, ca catalan, nl dutch, ar arabic, sv swedish, it italian, id indonesian, hi hindi,
  fi finnish, vi vietnamese, he hebrew, uk ukrainian, el greek, ms malay, cs czech, ro romanian, da danish,
  hu hungarian, ta tamil, no norwegian, th thai, ur urdu, hr croatian, bg bulgarian, lt lithuanian, la latin,
  mi maori, ml malayalam, cy welsh, sk slovak, te telugu, fa persian, lv latvian, bn bengali, sr serbian,
  az azerbaijani, sl slovenian, kn kannada, et estonian, mk macedonian, br breton, eu basque, is icelandic,
  hy armenian, ne nepali, mn mongolian, bs bosnian, kk kazakh, sq albanian, sw swahili, gl galician, mr marathi,
  pa punjabi, si sinhala, km khmer, sn shona, yo yoruba, so somali, af afrikaans, oc occitan, ka georgian,
  be belarusian, tg tajik, sd sindhi, gu gujarati, am amharic, yi yiddish, lo lao, uz uzbek, fo faroese,
  ht haitian creole, ps pashto, tk turkmen, nn nynorsk, mt maltese, sa sanskrit, lb luxembourgish, my myanmar,
  bo tibetan, tl tagalog, mg malagasy, as assamese, tt tatar, haw hawaiian, ln lingala, ha hausa, ba bashkir,
  jv javanese, su sundanese, yue cantonese,
  my burmese, ca valencian, nl flemish, ht haitian, lb letzeburgesch, ps pushto, pa panjabi, ro moldavian,
  ro moldovan, si sinhalese, es castilian, zh mandarin`;

const TAGS = new Map(
  WHISPER_NAMES.split(',').map((pair): [name: string, tag: string] => {
    const [, tag = '', name = ''] = /^\s*(\w+) (.+)$/.exec(pair) ?? [];
    return [name, tag];
  }),
);

const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * Returns the canonical BCP 47 tag for what a speech service calls a language: a tag, or Whisper's code or English
 * name, in any case.
 * @returns null for anything else
 */
export function languageTag(given: string | null | undefined): string | null {
  const name = given?.trim().toLowerCase() ?? '';
  const candidate = TAGS.get(name) ?? name.replaceAll('_', '-');
  // A longer first part is well-formed too, so "english" would pass as a tag.
  if (candidate.length > 35 || !/^[a-z]{2,3}(-|$)/.test(candidate)) return null;
  try {
    const [tag = ''] = Intl.getCanonicalLocales(candidate);
    const [language = ''] = tag.split('-');
    return language !== 'und' && known.of(language) ? tag : null;
  } catch {
    return null;
  }
}
