import { z } from 'zod';
import { cursor, resourceId } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { fromIso } from '@/lib/entries/calendar';
import { calendarDate, thumbnail } from '@/lib/entries/contract';

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

export const searchResult = z
  .object({
    id: resourceId,
    title: z.string().meta({ example: 'A walk by the harbor' }),
    thumbnail,
    date: calendarDate,
    matches: z.array(searchMatch).meta({
      description: 'At most two, in spoken order; none if only the title, a tag, or a note matches.',
    }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResult>;

const day = z
  .string()
  .transform((value, context) => {
    const date = fromIso(value);
    if (!date) context.addIssue({ code: 'custom', message: 'Enter the date as YYYY-MM-DD.' });
    return date ?? z.NEVER;
  })
  .optional();

/** Forms submit an empty input as an empty string. */
const emptyIsNone = (value: unknown) => (value === '' ? undefined : value);

/** A day, or empty for none. */
const dayOrEmpty = z
  .preprocess(emptyIsNone, day)
  .meta({ anyOf: [{ type: 'string', format: 'date' }, { const: '' }] });

const oneOrMore = z.union([z.string(), z.array(z.string())]);

export const search = operation({
  method: 'GET',
  path: '/search',
  paginated: true,
  summary: 'Search entries',
  description:
    'Finds entries that contain every word of the query in their title, tags, transcript, or notes, best match first. Without a query, lists the entries that have all the given tags. With more than 100 matches, the newest 100 are returned.',
  access: 'verified',
  query: z.object({
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
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(30)
      .meta({ description: 'How many entries to return.' }),
    cursor,
  }),
  response: z.array(searchResult),
  errors: ['validation_failed'],
});
