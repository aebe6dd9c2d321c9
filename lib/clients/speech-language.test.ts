import { expect, it } from 'vitest';
import { languageTag } from './speech-language';

it.each([
  ['english', 'en'],
  ['English ', 'en'],
  ['en', 'en'],
  ['EN_us', 'en-US'],
  ['pt-br', 'pt-BR'],
  ['zh-hans-cn', 'zh-Hans-CN'],
  ['eng', 'en'],
  ['haitian creole', 'ht'],
  ['Castilian', 'es'],
  ['cantonese', 'yue'],
  ['haw', 'haw'],
  ['jw', 'jv'],
  ['iw', 'he'],
])('reads %j as %s', (given, tag) => {
  expect(languageTag(given)).toBe(tag);
});

it.each([
  null,
  undefined,
  '',
  'auto',
  'und',
  'unknown',
  'klingonese',
  'qq',
  'x-private',
  'en-',
  'I told nobody',
  'e',
  '12',
])('takes %j for no language', (given) => {
  expect(languageTag(given)).toBeNull();
});

/** Whisper's own list of names, cut down to one per script and every alias that differs from its language. */
it('gives every language of Whisper a tag that browsers know by name', () => {
  const names =
    'german,tamil,lao,tibetan,hawaiian,lingala,bashkir,javanese,sundanese,nynorsk,myanmar,burmese,flemish';
  const tags = names.split(',').map((name) => languageTag(name));
  const known = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  expect(tags.map((tag) => tag && known.of(tag))).not.toContain(null);
  expect(tags.map((tag) => tag && known.of(tag))).not.toContain(undefined);
});
