import { z } from 'zod';
import { operation } from '@/lib/contract/operation';
import { fromIso } from '@/lib/entries/calendar';
import { calendarDate } from '@/lib/entries/contract';

/** A passage of the transcript around a matching word. */
export const searchMatch = z.object({
  /** When its first matching word is said, in seconds. */
  start_time: z.number(),
  text: z.string(),
  /** Where the matching words are in `text`: start and end offsets in UTF-16 code units. */
  marks: z.array(z.tuple([z.int(), z.int()])),
});

export const searchResult = z.object({
  id: z.string(),
  title: z.string(),
  /** '' until there is one. */
  thumbnail: z.string(),
  date: calendarDate,
  /** At most two, in spoken order; none if only the title, a tag, or a note matches. */
  matches: z.array(searchMatch),
});
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

const oneOrMore = z.union([z.string(), z.array(z.string())]);

export const search = operation({
  method: 'GET',
  path: '/search',
  summary:
    'Search entries for all the words in a query, best match first. Without a query, list entries that have all the given tags.',
  access: 'verified',
  query: z.object({
    /** Free text; if repeated, the first one counts. */
    query: oneOrMore.optional().transform((value) => (Array.isArray(value) ? value[0] : value) ?? ''),
    /** Tag ids, separated by commas or repeated. */
    categories: oneOrMore.optional().transform((value) =>
      [value ?? []]
        .flat()
        .join()
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    ),
    from: z.preprocess(emptyIsNone, day),
    to: z.preprocess(emptyIsNone, day),
    limit: z.coerce.number().int().min(1).max(100).default(30),
    cursor: z.string().max(300).optional(),
  }),
  response: z.array(searchResult),
  errors: ['validation_failed'],
});
