import { describe, expect, it } from 'vitest';
import { type ArchiveEntryFixture, archivedJournal, viewerMonth } from '@/test/archive-fixture';
import { openJournal } from './journal';
import { matchEntry, readQuery, toSearchable } from './search';

const TAGS = [{ id: 't', name: 'Família', color: '#AA0000' }];

/** Returns the result of a search in one entry, which says a word every half second. */
function search(query: string, said: string, entry: Partial<ArchiveEntryFixture> = {}) {
  const fixture = { id: 'one', date: '2026-11-18', words: said.split(' ').filter(Boolean), ...entry };
  const [searchable] = toSearchable(
    openJournal(archivedJournal([fixture], TAGS)).entries,
    viewerMonth([fixture]),
  );
  if (!searchable) throw new Error('the journal has no entry');
  return matchEntry(searchable, readQuery(query));
}

/** Returns what's marked in each passage. */
const marked = (query: string, said: string) =>
  search(query, said)?.matches.map(({ text, marks }) => marks.map(([from, to]) => text.slice(from, to)));

describe('search in an archive', () => {
  it('finds the second when a word is said', () => {
    const result = search('dad', 'Today I finally called Dad.');
    expect(result?.matches).toEqual([
      { start_time: 2, text: 'Today I finally called Dad.', marks: [[23, 27]] },
    ]);
  });

  it.each([
    ['the beginning of a word', 'call', 'I called him', 'called'],
    ['a word without its accents and case', 'JOAO', 'then João laughed', 'João'],
    ['a word between punctuation', 'dark', 'until “dark”, really', '“dark”,'],
    ['either apostrophe', 'don’t', "I don't know", "don't"],
    ['a part of a compound', 'law', 'my mother-in-law came', 'mother-in-law'],
    ['text in a script without spaces', '今日', '私は今日歩いた', '私は今日歩いた'],
    ['the inside of a Korean word', '학교', '우리학교에서 축제가', '우리학교에서'],
    ['half-width letters', 'カフェ', 'あの ｶﾌｪ で', 'ｶﾌｪ'],
    ['an emoji', '🌊', 'the sea🌊 was calm', 'sea🌊'],
  ])('finds %s', (_, query, said, word) => {
    expect(marked(query, said)).toEqual([[word]]);
  });

  it('finds a phrase across punctuation, only in its order', () => {
    expect(marked('"well hello"', 'oh well, hello there')).toEqual([['well,', 'hello']]);
    expect(search('"hello well"', 'oh well, hello there')).toBeNull();
  });

  it('takes quoted words exactly', () => {
    expect(search('"call"', 'I called him')).toBeNull();
  });

  it('needs every word, wherever it is', () => {
    const entry = { title: 'By the sea', tags: ['t'], notes: [{ text: 'Buy\nbread', moment: null }] };
    expect(search('sea familia bread walked', 'we walked', entry)).toMatchObject({ id: 'one' });
    expect(search('sea familia bread ran', 'we walked', entry)).toBeNull();
    expect(search('grandma walked', 'we walked', { question: 'How was Grandma?' })).toMatchObject({
      ...{ id: 'one', matches: [{ text: 'we walked' }] },
    });
  });

  it('leaves out entries with an excluded word', () => {
    expect(search('walked -boat', 'we walked')).not.toBeNull();
    expect(search('walked -boat', 'we walked to the boat')).toBeNull();
  });

  it('shows hits that are close together in one passage, and others in their own', () => {
    const pause = Array.from({ length: 30 }, () => 'and').join(' ');
    expect(marked('sea', `sea to sea ${pause} sea`)).toEqual([['sea', 'sea'], ['sea']]);
  });

  it('finds nothing for a query without a word', () => {
    expect(readQuery(' “ - … ')).toEqual([]);
  });
});
