import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEntryWithContent, searchEntries, searchEntryIds } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { SPACED } from './fixtures/languages';
import { UNSPACED } from './fixtures/unspaced-languages';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const LANGUAGES = [...SPACED, ...UNSPACED].map(({ language, said }) => ({
  language,
  texts: said.map(([text]) => text),
  expected: said.flatMap(([, searches], index) => searches.split(' | ').map((query) => [query, [index]])),
}));

it('has 300 searches in 20 languages', () => {
  expect(LANGUAGES).toHaveLength(20);
  expect(LANGUAGES.flatMap(({ expected }) => expected)).toHaveLength(300);
});

describe.each(LANGUAGES)('what’s said in $language is found', ({ language, texts, expected }) => {
  it.each(['words', 'note', 'title'] as const)('among %s', async (field) => {
    const { id: user } = await makeUser();
    const entries: string[] = [];
    for (const text of texts) entries.push(await makeEntryWithContent(user, { language, [field]: text }));
    const found: unknown[] = [];
    for (const [query] of expected) {
      const ids = await searchEntryIds(user, String(query));
      found.push([query, ids.map((id) => entries.indexOf(id))]);
    }
    expect(found).toEqual(expected);
  });
});

it('leads to the second when it was said, within words and across them', async () => {
  const { id: user } = await makeUser();
  await makeEntryWithContent(user, { language: 'ja', words: 'おはよう 今日は京 都に 行きました 🌊' });
  const secondOf = async (query: string) => (await searchEntries(user, query))[0]?.matches[0]?.start_time;
  expect(await secondOf('今日')).toBe(1);
  expect(await secondOf('京都')).toBe(1);
  expect(await secondOf('行きました')).toBe(3);
  expect(await secondOf('都に行き')).toBe(2);
  expect(await secondOf('🌊')).toBe(4);
});

it('wants glyphs in their order', async () => {
  const { id: user } = await makeUser();
  await makeEntryWithContent(user, { language: 'zh', words: '学习 中文 很 有趣 大学 生活' });
  expect(await searchEntryIds(user, '大学')).toHaveLength(1);
  expect(await searchEntryIds(user, '学大')).toHaveLength(0);
  expect(await searchEntryIds(user, '大学中文')).toHaveLength(0);
  expect(await searchEntryIds(user, '大学 中文')).toHaveLength(1);
  expect(await searchEntryIds(user, '-大学 中文')).toHaveLength(0);
});
