import { z } from 'zod';
import { cursor, resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entrySummary, pageSize } from '@/lib/journal/entries/contract';
import { calendarDate, isoDay } from '@/lib/journal/entries/date-fields';
import { transcription } from '@/lib/journal/transcripts/contract';

/** A passage of the transcript around a matching word. */
export const searchMatch = z
  .object({
    start_time: z
      .number()
      .meta({ description: 'When its first matching word is said, in seconds.', example: 12.48 }),
    text: z.string().meta({ example: 'We walked along the harbor until dark.' }),
    marks: z.array(z.tuple([z.int(), z.int()]).meta({ example: [20, 26] })).meta({
      description: 'Where the matching words are in `text`: start and end offsets in UTF-16 code units.',
    }),
  })
  .meta({ id: 'SearchMatch' });

export const searchResult = entrySummary
  .pick({ id: true, title: true, thumbnail: true, date: true, duration: true, tags: true })
  .extend({
    language: transcription.shape.language,
    matches: z.array(searchMatch).meta({
      description:
        'At most two, in spoken order; none if only the title, a tag, the question, or a note matches.',
    }),
    more: z
      .object({
        count: z.int().min(1).meta({ example: 3 }),
        start_time: z
          .number()
          .meta({ description: 'When the first of them is said, in seconds.', example: 221.5 }),
      })
      .nullable()
      .meta({ description: 'Matching moments after those in `matches`; null if there are none.' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResult>;

/** A day, or empty for none, as forms submit an empty input. */
const dayOrEmpty = z
  .preprocess((value) => (value === '' ? undefined : value), isoDay.optional())
  .meta({ anyOf: [{ type: 'string', format: 'date' }, { const: '' }] });

const oneOrMore = z.union([z.string(), z.array(z.string())]);

/** What to search for. */
const filters = z.object({
  query: oneOrMore
    .optional()
    .transform((value) => (Array.isArray(value) ? value[0] : value) ?? '')
    .meta({
      description:
        'What a person types: words, “quoted phrases”, and -excluded words. If repeated, the first one counts.',
      example: 'harbor -boat',
    }),
  categories: oneOrMore
    .optional()
    .transform((value) =>
      [value ?? []]
        .flat()
        .join()
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    )
    .meta({
      description: 'Ids of tags, separated by commas or repeated. Entries must have all of them.',
      example: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d91',
    }),
  from: dayOrEmpty.meta({ description: 'The first day to search.', example: '2026-01-01' }),
  to: dayOrEmpty.meta({ description: 'The last day to search.', example: '2026-12-31' }),
});

export const search = operation({
  method: 'GET',
  path: '/search',
  paginated: true,
  summary: 'Search entries',
  description:
    'Finds entries that contain every word of the query in their title, tags, transcript, question, or notes, best match first. Without a query, lists the entries that have all the given tags. Of more than 100 matches, the newest 100 are ranked. The others follow, newest first.',
  access: 'verified',
  query: filters.extend({
    limit: pageSize(100).default(30).meta({ description: 'How many entries to return.' }),
    cursor,
    count: z
      .enum(['true', 'false'])
      .default('true')
      .transform((value) => value === 'true')
      .meta({
        description:
          'Whether to count all matches. With `false`, responses don’t wait for that, and `X-Total-Count` is missing unless it’s known.',
      }),
  }),
  response: z.array(searchResult),
  errors: ['validation_failed'],
});

export const searchSummary = z
  .object({
    total: z.int().meta({ description: 'How many entries match.', example: 212 }),
    years: z
      .array(z.object({ year: z.int().meta({ example: 2026 }), entries: z.int().meta({ example: 41 }) }))
      .meta({
        description: 'How many entries match in each year, newest first, whatever `from` and `to` are.',
      }),
    first_said: z
      .object({
        id: resourceId,
        title: z.string().meta({ example: 'The house has a yard' }),
        date: calendarDate,
      })
      .nullable()
      .meta({
        description: 'The oldest entry in which all the words are spoken, whatever `from` and `to` are.',
      }),
    spelling: z.string().nullable().meta({
      description: 'The query as its words are spelled in the journal, if nothing matched it as typed.',
      example: null,
    }),
    suggestion: z
      .object({ query: z.string().meta({ example: 'harbor' }), entries: z.int().meta({ example: 4 }) })
      .nullable()
      .meta({ description: 'A similar word that so many entries have, if nothing matched.' }),
  })
  .meta({ id: 'SearchSummary' });
export type SearchSummary = z.infer<typeof searchSummary>;

export const summarizeSearch = operation({
  method: 'GET',
  path: '/search/summary',
  summary: 'Summarize a search',
  description:
    'Counts the entries that a search finds, by year, and returns the first entry that says it. If nothing matches, similar words are counted, as in the search.',
  access: 'verified',
  query: filters,
  response: searchSummary,
  errors: ['validation_failed'],
});
