import { describe, expect, it, vi } from 'vitest';
import * as bulk from '@/lib/journal/bulk/contract';
import * as entries from '@/lib/journal/entries/contract';
import * as notes from '@/lib/journal/notes/contract';
import * as search from '@/lib/journal/search/contract';
import * as tags from '@/lib/journal/tags/contract';
import * as timeline from '@/lib/journal/timeline/contract';
import * as transcripts from '@/lib/journal/transcripts/contract';
import { atMost, type BoundCase, between, idFor, letters, many, tryBound, upTo } from '@/test/bounds';

const one = [idFor(1)];
const words = (size: number) => many(size, (n) => ({ word: 'so', startTime: n, endTime: n + 0.5 }));
const corrected = (of: object[], more: object = {}) => ({ transcription: { words: of }, ...more });
const colored = (n: number) => ({ id: idFor(n), color: '#336699', name: `Tag ${n}` });
const spoken = (more: object) => corrected([{ word: 'so', startTime: 0, endTime: 1_000_000, ...more }]);

const PAGES: BoundCase[] = [
  ['entries', entries.listEntries.query, (limit) => ({ limit: `${limit}` }), between(1, 500)],
  ['search results', search.search.query, (limit) => ({ limit: `${limit}` }), between(1, 100)],
  ['rows of the timeline', timeline.listTimeline.query, (limit) => ({ limit: `${limit}` }), between(1, 50)],
];

const FILTERS: BoundCase[] = [
  ['tags of the timeline', timeline.listTimeline.query, (n) => ({ tag: many(n, idFor) }), upTo(50)],
  [
    'tags of a range',
    bulk.listRange.query,
    (n) => ({ from: idFor(1), to: idFor(2), tag: many(n, idFor) }),
    upTo(50),
  ],
  ['the year of days', timeline.listTimelineDays.query, (year) => ({ year: `${year}` }), between(1900, 2199)],
  ['a year as a month', timeline.listTimeline.query, (year) => ({ month: `${year}` }), between(1900, 2199)],
  [
    'a month of a year',
    timeline.listTimeline.query,
    (month) => ({ month: `2026-${`${month}`.padStart(2, '0')}` }),
    between(1, 12),
  ],
  ['a list’s cursor', entries.listEntries.query, (n) => ({ cursor: letters(n) }), atMost(300)],
  ['a search’s cursor', search.search.query, (n) => ({ cursor: letters(n) }), atMost(300)],
  ['the timeline’s cursor', timeline.listTimeline.query, (n) => ({ before: letters(n) }), atMost(300)],
];

const TEXTS: BoundCase[] = [
  ['a title', entries.updateEntry.body, (n) => ({ title: letters(n) }), between(1, 200)],
  // Each is two UTF-16 code units.
  ['a title in emoji', entries.updateEntry.body, (n) => ({ title: '🌊'.repeat(n) }), between(1, 200)],
  // Each accent is a character of its own before normalization.
  [
    'a title with accents',
    entries.updateEntry.body,
    (n) => ({ title: 'e\u0301'.repeat(n) }),
    between(1, 200),
  ],
  [
    'a title between spaces',
    entries.updateEntry.body,
    (n) => ({ title: ` ${letters(n)} ` }),
    between(1, 200),
  ],
  // Before they're removed, spaces at the ends count up to eight times the limit.
  ['a title and spaces', entries.updateEntry.body, (n) => ({ title: letters(200).padEnd(n) }), atMost(1600)],
  ['a note', notes.postNote.body, (n) => ({ text: letters(n) }), between(1, 10_000)],
  ['a changed note', notes.editNote.body, (n) => ({ text: letters(n) }), between(1, 10_000)],
  [
    'a note that was edited',
    notes.editNote.body,
    (n) => ({ text: 'a', before: letters(n) }),
    between(1, 10_000),
  ],
  ['a tag', tags.createTag.body, (n) => ({ category_name: letters(n) }), between(1, 50)],
  [
    'a renamed tag',
    tags.updateTags.body,
    (n) => ({ categories: [{ ...colored(1), name: letters(n) }] }),
    between(1, 50),
  ],
  [
    'a tag that’s created for a selection',
    bulk.changeTags.body,
    (n) => ({ entries: one, create: [letters(n)] }),
    between(1, 50),
  ],
  ['a word', transcripts.saveTranscription.body, (n) => spoken({ word: letters(n) }), between(1, 200)],
];

const COUNTS: BoundCase[] = [
  ['changed tags', tags.updateTags.body, (n) => ({ categories: many(n, colored) }), upTo(1000)],
  ['an entry’s tags', tags.setEntryTags.body, (n) => ({ categories: many(n, idFor) }), upTo(1000)],
  ['removed entries', bulk.removeEntries.body, (n) => ({ entries: many(n, idFor) }), between(1, 500)],
  [
    'entries of a removal’s preview',
    bulk.previewRemoval.body,
    (n) => ({ entries: many(n, idFor) }),
    between(1, 500),
  ],
  ['restored entries', bulk.restoreEntries.body, (n) => ({ entries: many(n, idFor) }), between(1, 500)],
  ['dated entries', bulk.changeDates.body, (n) => ({ entries: many(n, idFor), days: 1 }), between(1, 500)],
  ['tagged entries', bulk.changeTags.body, (n) => ({ entries: many(n, idFor) }), between(1, 500)],
  [
    'dates that are undone',
    bulk.undoDates.body,
    (n) => ({ dates: many(n, (nth) => ({ id: idFor(nth), before: '2026-01-01', after: '2026-01-02' })) }),
    between(1, 500),
  ],
  ['tags to add', bulk.changeTags.body, (n) => ({ entries: one, add: many(n, idFor) }), upTo(50)],
  ['tags to remove', bulk.changeTags.body, (n) => ({ entries: one, remove: many(n, idFor) }), upTo(50)],
  [
    'tags to create',
    bulk.changeTags.body,
    (n) => ({ entries: one, create: many(n, (nth) => `Tag ${nth}`) }),
    upTo(50),
  ],
  [
    'tags to add, remove, and create together',
    bulk.changeTags.body,
    (n) => ({
      entries: one,
      add: many(20, idFor),
      remove: [idFor(100)],
      create: many(n, (nth) => `Tag ${nth}`),
    }),
    upTo(29),
  ],
  // Here and in imports. Reading so many takes a while, so only the limit is tried.
  ['a transcript’s words', transcripts.saveTranscription.body, (n) => corrected(words(n)), atMost(100_000)],
];

const NUMBERS: BoundCase[] = [
  ['days to move', bulk.changeDates.body, (days) => ({ entries: one, days }), between(-36_525, 36_525)],
  ['the moment of a note', notes.postNote.body, (moment) => ({ text: 'a', moment }), between(0, 1_000_000)],
  [
    'the start of a word',
    transcripts.saveTranscription.body,
    (startTime) => spoken({ startTime }),
    between(0, 1_000_000),
  ],
  [
    'the end of a word',
    transcripts.saveTranscription.body,
    (endTime) => spoken({ endTime }),
    between(0, 1_000_000),
  ],
  [
    'the revision that was corrected',
    transcripts.saveTranscription.body,
    (revision) => corrected([], { revision }),
    between(0, 1_000_000),
  ],
  [
    'the revision to read',
    transcripts.readRevision.params,
    (revision) => ({ id: idFor(1), revision: `${revision}` }),
    between(0, 1_000_000),
  ],
  [
    'a draft’s log-probability',
    transcripts.saveTranscription.body,
    (logProbability) => corrected([], { draft: true, logProbability }),
    between(-1000, 0),
  ],
];

describe.each([
  ['pages', PAGES],
  ['filters', FILTERS],
  ['texts', TEXTS],
  ['lists', COUNTS],
  ['numbers', NUMBERS],
])('the limits of %s', (_, cases) => {
  it.each(cases)('hold for %s', (_name, schema, send, bound) => {
    expect(tryBound(schema, send, bound)).toEqual(bound);
  });
});

it('takes each tag and each entry once', () => {
  const twice = [idFor(1), idFor(1)];
  const refused = [
    bulk.removeEntries.body.safeParse({ entries: twice }),
    bulk.changeTags.body.safeParse({ entries: one, add: twice }),
    bulk.changeTags.body.safeParse({ entries: one, add: one, remove: one }),
    bulk.undoDates.body.safeParse({
      dates: twice.map((id) => ({ id, before: '2026-01-01', after: '2026-01-02' })),
    }),
  ];
  expect(refused.map(({ success }) => success)).toEqual([false, false, false, false]);
});

it('pages by twenty rows of the timeline and thirty results unless told otherwise, and lists all entries', () => {
  expect(timeline.listTimeline.query.parse({}).limit).toBe(20);
  expect(search.search.query.parse({}).limit).toBe(30);
  expect(entries.listEntries.query.parse({}).limit).toBeUndefined();
});

it('takes an entry’s date up to today where it’s latest, and from a hundred years ago', () => {
  // In UTC+14, it's November 21 already.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 10, 30) });
  try {
    const isTaken = (date: string) => entries.updateEntry.body.safeParse({ date }).success;
    expect(['2026-11-22', '2026-11-21', '1926-11-21', '1926-11-20'].map(isTaken)).toEqual([
      ...[false, true],
      ...[true, false],
    ]);
  } finally {
    vi.useRealTimers();
  }
});
