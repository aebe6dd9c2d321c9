import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { importedEntries } from '@/db/schema/imported-entries';
import { createImport } from '@/lib/portability/imports/history/service';
import { useFreshDatabase } from '@/test/app-database';
import { addTranscript } from '@/test/entry-fixtures';
import { makeEntry, makeUser } from '@/test/factories';
import { storedWords } from '@/test/transcript-fixtures';
import { getEntryRow } from '@/test/video-fixtures';
import { replacePlaceholderTitle, titleFromWords } from './placeholder-title';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

const title = (text: string) => titleFromWords(storedWords(text));

describe('a title from the first words', () => {
  it.each([
    ['We saw a whale. It was huge.', 'We saw a whale'],
    ['Did you see that? Wow!', 'Did you see that'],
    ['Dr. Lee called, and so did J. Smith. Then we left.', 'Dr. Lee called, and so did J. Smith'],
    ['She said “go on.” Then we left.', 'She said “go on”'],
    ['one two three four five six seven eight', 'one two three four five six seven eight'],
    ['one two three four five six seven eight nine.', 'one two three four five six seven eight…'],
    ['one two three four five six seven, eight, nine', 'one two three four five six seven, eight…'],
    ['Hello', 'Hello'],
    ['—', null],
    ['... .', null],
  ])('of “%s”', (text, expected) => {
    expect(title(text)).toBe(expected);
  });

  it('has at most 60 characters, and ends with a word', () => {
    const long = 'incomprehensibly interdisciplinary internationalization considerations matter';
    expect(title(long)).toBe('incomprehensibly interdisciplinary internationalization…');
    expect(title('x'.repeat(60))).toBe('x'.repeat(60));
    expect(title(`${'x'.repeat(59)} y`)).toBe(`${'x'.repeat(59)}…`);
    expect(title('🐋'.repeat(100))).toBeNull();
    expect(title('ä'.repeat(100))).toBe(`${'ä'.repeat(59)}…`);
  });

  it('has no more than was said', () => {
    expect(titleFromWords([])).toBeNull();
    expect(
      titleFromWords([
        ['We saw', 0, 1],
        ['a whale.', 1, 2],
      ]),
    ).toBe('We saw a whale');
  });
});

it('takes the place of each imported entry’s file name once, when its words are there', async () => {
  const { id: userId } = await makeUser();
  const { id: importId } = await createImport(userId, { kind: 'files', name: 'Phone' });
  const file = { importId, date: '2026-01-15', content: '', placeholderTitle: 'IMG_1' };
  const ids: string[] = [];
  for (const words of ['I called Dad.', 'It rained.']) {
    const { id: entryId } = await makeEntry(userId, { title: 'IMG_1' });
    await db()
      .insert(importedEntries)
      .values({ ...file, entryId });
    await addTranscript(entryId, words);
    ids.push(entryId);
  }
  const titles = async () => Promise.all(ids.map(async (id) => (await getEntryRow(id)).title));
  const [first = '', second = ''] = ids;
  await db().transaction((tx) => replacePlaceholderTitle(tx, first));
  expect(await titles()).toEqual(['I called Dad', 'IMG_1']);
  await db().transaction((tx) => replacePlaceholderTitle(tx, second));
  expect(await titles()).toEqual(['I called Dad', 'It rained']);
});
