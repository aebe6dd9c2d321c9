import type { Equivalent } from './equivalent';

/** Mutants of journals, and of what leaves and enters them. */
export const JOURNAL_EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/journal/transcripts/shared/captions.ts',
    ...{ original: '!first || !last', replacement: 'false' },
    reason: 'A caption that’s being made has a word.',
  },
  {
    file: 'lib/journal/transcripts/shared/merge-corrections.ts',
    ...{ original: '!original || !myWord', replacement: '!myWord' },
    reason: 'There’s no match for a word that isn’t there.',
  },
  {
    file: 'lib/journal/notes/service.ts',
    original: 'entry && entry.noteCount > MAX_ENTRY_NOTES',
    replacement: 'entry.noteCount > MAX_ENTRY_NOTES',
    reason: 'The caller has locked the entry, so it’s there.',
  },
  {
    file: 'lib/journal/entries/trash-space.ts',
    ...{ original: 'since && trashedAt', replacement: 'since' },
    reason: 'What’s in the trash has a time.',
  },
  {
    file: 'lib/journal/entries/trash-space.ts',
    ...{ original: 'inTrash(userId)', replacement: 'undefined', within: '/lockSurplus' },
    reason: 'They were read as being there, under the lock that a restore waits for.',
  },
  {
    file: 'lib/journal/transcripts/shared/match-tokens.ts',
    ...{ original: 'index > from && found > place', replacement: 'index > from' },
    reason: 'A stretch that’s compared with nothing has no matches.',
  },
  {
    file: 'lib/journal/entries/trash.ts',
    ...{ original: 'isDue', replacement: 'undefined', within: '/purgeOldTrash' },
    reason: 'Each transaction asks again which are due.',
  },
  {
    file: 'lib/portability/exports/service.ts',
    original: "row.status !== 'ready' || !row.layoutId",
    replacement: "row.status !== 'ready'",
    reason: 'What’s ready has a layout.',
  },
  {
    file: 'lib/journal/transcripts/revisions.ts',
    ...{ original: 'revision === null || createdAt === null', replacement: 'createdAt === null' },
    reason: 'A row that isn’t there has neither.',
  },
  {
    file: 'lib/portability/exports/assemble.ts',
    ...{ original: '!layoutId || !multipartId', replacement: '!multipartId' },
    reason: 'A layout and its upload are recorded and discarded together.',
  },
  {
    file: 'lib/portability/exports/assemble.ts',
    original: '!layoutId || !multipartId || bytes === null',
    replacement: 'bytes === null',
    reason: 'Its size is recorded with a layout and discarded with it.',
  },
  {
    file: 'lib/journal/transcripts/learn.ts',
    original: `(
      select jsonb_array_length(words) from transcripts where entry_id = id order by revision desc limit 1
    ) > \${MAX_INDEXED_AT_ONCE}`,
    replacement: 'true',
    reason: 'To index again what’s indexed changes nothing.',
  },
  {
    file: 'lib/journal/transcripts/revision-words.ts',
    ...{ original: 'holder.entry_id = transcripts.entry_id', replacement: 'true' },
    reason: 'Words that are shared have an id of their own.',
  },
  {
    file: 'lib/journal/search/terms.ts',
    ...{ original: '.filter((list) => list.length > 0)', replacement: '' },
    reason: 'Empty lists add nothing to the merged one; without them, a single list isn’t sorted again.',
  },
  {
    file: 'lib/journal/transcripts/machine-transcript.ts',
    ...{ original: 'eq(transcripts.draft, true)', replacement: 'undefined' },
    reason: 'The other revisions are no drafts already.',
  },
  {
    file: 'lib/portability/imports/clips/service.ts',
    ...{ original: 'eq(entries.userId, userId)', replacement: 'undefined', within: '/listClips' },
    reason: 'The entries of an import are its account’s.',
  },
  {
    file: 'lib/journal/tags/service.ts',
    ...{ original: 'ids.length === 0', replacement: 'false', within: '/lockTags' },
    reason: 'Of no tags, none is found and none is missing. Not asking is faster.',
  },
  {
    file: 'lib/journal/search/terms.ts',
    ...{ original: 'found.length < 2', replacement: 'false', within: '/unitPositions' },
    reason: 'A single list is in order and has each position once. Not sorting it is faster.',
  },
  {
    file: 'lib/journal/search/service.ts',
    ...{ original: 'missing > 0', replacement: 'true', within: '/selectPage' },
    reason: 'A page of no rows has none. Not asking for it is faster.',
  },
  {
    file: 'lib/journal/search/match-queries.ts',
    ...{ original: '>', replacement: '>=', within: '/months' },
    reason: 'In a month without entries, nothing is found. Not looking is faster.',
  },
  {
    file: 'lib/journal/timeline/service.ts',
    ...{ original: '!newest || !oldest', replacement: '!newest' },
    reason: 'There’s an oldest row if there’s a newest one.',
  },
  {
    file: 'lib/portability/exports/run.ts',
    ...{ original: 'multipartId: null', replacement: '...{}', within: '/discardLayout' },
    reason: 'Without a layout, the id of its upload isn’t read, and the next layout replaces it.',
  },
];
