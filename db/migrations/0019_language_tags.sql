-- Whisper's English names, and codes it keeps beside the ones that replaced them, become BCP 47 tags.
update entries set language = known.tag from (values
  ('english', 'en'), ('chinese', 'zh'), ('german', 'de'), ('spanish', 'es'), ('russian', 'ru'), ('korean', 'ko'),
  ('french', 'fr'), ('japanese', 'ja'), ('portuguese', 'pt'), ('turkish', 'tr'), ('polish', 'pl'), ('catalan', 'ca'),
  ('dutch', 'nl'), ('arabic', 'ar'), ('swedish', 'sv'), ('italian', 'it'), ('indonesian', 'id'), ('hindi', 'hi'),
  ('finnish', 'fi'), ('vietnamese', 'vi'), ('hebrew', 'he'), ('ukrainian', 'uk'), ('greek', 'el'), ('malay', 'ms'),
  ('czech', 'cs'), ('romanian', 'ro'), ('danish', 'da'), ('hungarian', 'hu'), ('tamil', 'ta'), ('norwegian', 'no'),
  ('thai', 'th'), ('urdu', 'ur'), ('croatian', 'hr'), ('bulgarian', 'bg'), ('lithuanian', 'lt'), ('latin', 'la'),
  ('maori', 'mi'), ('malayalam', 'ml'), ('welsh', 'cy'), ('slovak', 'sk'), ('telugu', 'te'), ('persian', 'fa'),
  ('latvian', 'lv'), ('bengali', 'bn'), ('serbian', 'sr'), ('azerbaijani', 'az'), ('slovenian', 'sl'),
  ('kannada', 'kn'), ('estonian', 'et'), ('macedonian', 'mk'), ('breton', 'br'), ('basque', 'eu'),
  ('icelandic', 'is'), ('armenian', 'hy'), ('nepali', 'ne'), ('mongolian', 'mn'), ('bosnian', 'bs'),
  ('kazakh', 'kk'), ('albanian', 'sq'), ('swahili', 'sw'), ('galician', 'gl'), ('marathi', 'mr'), ('punjabi', 'pa'),
  ('sinhala', 'si'), ('khmer', 'km'), ('shona', 'sn'), ('yoruba', 'yo'), ('somali', 'so'), ('afrikaans', 'af'),
  ('occitan', 'oc'), ('georgian', 'ka'), ('belarusian', 'be'), ('tajik', 'tg'), ('sindhi', 'sd'), ('gujarati', 'gu'),
  ('amharic', 'am'), ('yiddish', 'yi'), ('lao', 'lo'), ('uzbek', 'uz'), ('faroese', 'fo'), ('haitian creole', 'ht'),
  ('pashto', 'ps'), ('turkmen', 'tk'), ('nynorsk', 'nn'), ('maltese', 'mt'), ('sanskrit', 'sa'),
  ('luxembourgish', 'lb'), ('myanmar', 'my'), ('tibetan', 'bo'), ('tagalog', 'fil'), ('malagasy', 'mg'),
  ('assamese', 'as'), ('tatar', 'tt'), ('hawaiian', 'haw'), ('lingala', 'ln'), ('hausa', 'ha'), ('bashkir', 'ba'),
  ('javanese', 'jv'), ('sundanese', 'su'), ('cantonese', 'yue'), ('burmese', 'my'), ('valencian', 'ca'),
  ('flemish', 'nl'), ('haitian', 'ht'), ('letzeburgesch', 'lb'), ('pushto', 'ps'), ('panjabi', 'pa'),
  ('moldavian', 'ro'), ('moldovan', 'ro'), ('sinhalese', 'si'), ('castilian', 'es'), ('mandarin', 'zh'),
  ('jw', 'jv'), ('iw', 'he'), ('tl', 'fil'), ('in', 'id'), ('mo', 'ro')
) as known (name, tag) where lower(trim(entries.language)) = known.name;
--> statement-breakpoint
-- Tags get their canonical case: zh-hans-cn is zh-Hans-CN.
update entries set language = lower(split_part(language, '-', 1))
  || coalesce('-' || initcap(substring(language from '^[A-Za-z]{2,3}-([A-Za-z]{4})(?:-|$)')), '')
  || coalesce('-' || upper(substring(language from '-([A-Za-z]{2}|[0-9]{3})$')), '')
where language ~ '[A-Z-]' and language ~* '^[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2}|-[0-9]{3})?$';
--> statement-breakpoint
-- What is neither names no language that a browser knows.
update entries set language = null
where language is not null and language !~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?$';
