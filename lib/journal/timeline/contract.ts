import { z } from 'zod';
import { cursor } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entryFilter, entrySummary, pageSize, shownQuestion } from '@/lib/journal/entries/contract';
import { isoDay } from '@/lib/journal/entries/date-fields';
import { transcription, word } from '@/lib/journal/transcripts/contract';

const timelineRow = z
  .object({
    cursor: z
      .string()
      .meta({ description: 'Where this entry is in the timeline.', example: cursor.meta()?.example }),
    entry: entrySummary,
    question: shownQuestion,
    words: z.array(word).meta({
      description:
        'The sentence that stands for the entry. Empty if nobody speaks in it, or it isn’t transcribed yet.',
    }),
    language: transcription.shape.language,
    notes: z.int().meta({ description: 'How many notes the entry has.', example: 2 }),
  })
  .meta({ id: 'TimelineRow' });
export type TimelineRow = z.infer<typeof timelineRow>;

const timelineMonth = z
  .object({
    month: z.string().meta({ example: '2026-11' }),
    entries: z.int().meta({ example: 12 }),
    seconds: z.number().meta({ description: 'How long their videos are together.', example: 1620.5 }),
  })
  .meta({ id: 'TimelineMonth' });
export type TimelineMonth = z.infer<typeof timelineMonth>;

const described = (description: string) => cursor.meta({ ...cursor.meta(), description });

export const listTimeline = operation({
  method: 'GET',
  path: '/timeline',
  summary: 'List part of the timeline',
  description:
    'Returns entries newest first, each with its best sentence: those before a cursor, those after one, those of a day and before it, or the newest. `month`, `tag`, and `notes` narrow it down.',
  access: 'verified',
  query: z.object({
    before: described('The `cursor` of a row: returns the entries that are older.'),
    after: described('The `cursor` of a row: returns the entries that are newer.'),
    at: isoDay
      .optional()
      .meta({ format: 'date', description: 'The newest day to return.', example: '2026-03-01' }),
    ...entryFilter,
    limit: pageSize(50).default(20).meta({ description: 'How many entries to return.' }),
  }),
  response: z
    .object({
      rows: z.array(timelineRow),
      months: z.array(timelineMonth).meta({ description: 'The months of these entries, newest first.' }),
      hasEarlier: z.boolean().meta({ description: 'Whether there are entries before the last one.' }),
      hasLater: z.boolean().meta({ description: 'Whether there are entries after the first one.' }),
    })
    .meta({ id: 'Timeline' }),
  errors: ['validation_failed'],
});
export type Timeline = z.infer<typeof listTimeline.response>;

const timelineDay = z
  .object({
    day: z.string().meta({ format: 'date', example: '2026-03-01' }),
    seconds: z.number().meta({ description: 'How long its videos are together.', example: 92.4 }),
    matches: z.boolean().meta({ description: 'Whether one of its entries fits the filter.' }),
  })
  .meta({ id: 'TimelineDay' });
export type TimelineDay = z.infer<typeof timelineDay>;

export const listTimelineDays = operation({
  method: 'GET',
  path: '/timeline/days',
  summary: 'List the days of a year',
  description: 'Returns the days that have entries, oldest first, and whether they fit a filter.',
  access: 'verified',
  query: z.object({
    year: z.coerce.number().int().min(1900).max(2199).meta({ example: 2026 }),
    ...entryFilter,
  }),
  response: z.array(timelineDay),
  errors: ['validation_failed'],
});
