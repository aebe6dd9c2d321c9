import { z } from 'zod';
import { cursor, done, id, resourceId, text, textOrNone } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { note } from '@/lib/journal/notes/contract';
import { MAX_QUESTION } from '@/lib/journal/shared/prompts';
import { tag } from '@/lib/journal/tags/contract';
import { transcription } from '@/lib/journal/transcripts/contract';
import { calendarDate, entryDate } from './date-fields';

export const entryTitle = text(200, 'Must have a title.').meta({ example: 'A walk by the harbor' });

/** The question that an entry answers, as it's sent. */
export const entryQuestion = textOrNone(MAX_QUESTION).meta({
  description: 'The question that the video answers. Blank for none.',
  example: 'What made you laugh?',
});

/** The question that an entry answers, as it's shown. */
export const shownQuestion = z.string().nullable().meta({
  description: 'The question that the video answers; null if there’s none.',
  example: 'What made you laugh?',
});

export const entryStatus = z.enum(['processing', 'completed', 'failed']).meta({ example: 'completed' });
export const videoStatus = z
  .enum(['uploading', 'uploaded', 'processing', 'ready', 'failed'])
  .meta({ example: 'ready' });

/** Where the thumbnail is, below the site's address. */
const thumbnail = z.string().meta({
  format: 'uri-reference',
  example: '/api/v1/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90/thumbnail',
  description: 'Empty until there is one.',
});

/** What a card shows. */
export const entrySummary = z
  .object({
    id: resourceId,
    title: z.string().meta({ example: 'A walk by the harbor' }),
    createdAt: z.iso.datetime(),
    thumbnail,
    date: calendarDate,
    status: entryStatus,
    videoStatus,
    duration: z
      .number()
      .nullable()
      .meta({ description: 'In seconds; null until it’s known.', example: 92.4 }),
    heldByPlan: z.boolean().meta({
      description: 'The video failed only because it’s too long for the plan. It’s processed once it fits.',
      example: false,
    }),
    tags: z.array(tag),
  })
  .meta({ id: 'EntrySummary' });
export type EntrySummary = z.infer<typeof entrySummary>;

export const entry = entrySummary
  .extend({
    videoUrl: z.string().meta({
      format: 'uri-reference',
      example: '/api/v1/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90/video?v=1c6f0a',
      description: 'Empty until the video can be played.',
    }),
    smallVideoUrl: z.string().meta({
      format: 'uri-reference',
      example: '/api/v1/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90/video/small?v=9f2c41',
      description: 'A smaller version of the video, for slow connections. Empty if there isn’t one.',
    }),
    videoError: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong, for people, if it failed.', example: null }),
    soundError: z
      .string()
      .nullable()
      .meta({ description: 'Why the video plays without its sound, for people, if it does.', example: null }),
    question: shownQuestion,
    notes: z.array(note),
    transcription,
  })
  .meta({ id: 'Entry' });
export type Entry = z.infer<typeof entry>;

/** An entry in the trash. */
export const trashedEntry = entrySummary
  .extend({
    bytes: z.number().meta({ description: 'How much space it takes if it’s restored.', example: 48_120_332 }),
    trashedAt: z.iso.datetime(),
    purgedAt: z.iso
      .datetime()
      .meta({ description: 'When it’s deleted permanently.', example: '2026-03-31T18:30:00.000Z' }),
  })
  .meta({ id: 'TrashedEntry' });
export type TrashedEntry = z.infer<typeof trashedEntry>;

/** Query parameters that narrow a list of entries down. */
export const entryFilter = {
  tag: z
    .union([id, z.array(id).max(50)])
    .optional()
    .transform((value) => (value === undefined ? undefined : [value].flat()))
    .meta({ description: 'Only entries with this tag; repeated, with all of them.' }),
  month: z
    .string()
    .regex(/^(19|20|21)\d\d(-(0[1-9]|1[0-2]))?$/, 'Send the month as YYYY-MM, or the year as YYYY.')
    .optional()
    .meta({ description: 'Only entries of this month, or of this year.', example: '2026-03' }),
  notes: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .meta({ description: 'Whether to return only entries that have notes.', example: 'true' }),
};

/** How many items a page of a list has. */
export const pageSize = (max: number) => z.coerce.number().int().min(1).max(max);

const one = z.object({ id });

export const listEntries = operation({
  method: 'GET',
  path: '/entries',
  paginated: true,
  summary: 'List entries',
  description:
    'Returns entries newest first. With `limit`, returns one page; without it, up to 10,000 entries.',
  access: 'verified',
  query: z.object({
    limit: pageSize(500).optional().meta({ description: 'How many entries to return.', example: 50 }),
    cursor,
  }),
  response: z.array(entrySummary),
  errors: ['validation_failed'],
});

export const getEntry = operation({
  method: 'GET',
  path: '/entry/:id',
  summary: 'Get an entry',
  description: 'Returns the entry with its notes, tags, and transcript.',
  access: 'verified',
  params: one,
  response: entry,
  errors: ['not_found'],
});

export const updateEntry = operation({
  method: 'POST',
  path: '/entry/:id',
  summary: 'Update an entry',
  description: 'Changes the title, the date, the question, or several of them.',
  access: 'verified',
  params: one,
  body: z
    .object({
      title: entryTitle.optional(),
      date: entryDate.optional(),
      question: entryQuestion.nullable().optional(),
    })
    .meta({ minProperties: 1 })
    .refine((body) => Object.values(body).some((value) => value !== undefined), {
      message: 'Enter a title or a date.',
      path: ['title'],
    }),
  response: entry,
  errors: ['validation_failed', 'not_found'],
});

export const removeEntry = operation({
  method: 'POST',
  path: '/entry/:id/remove',
  summary: 'Move an entry to the trash',
  description:
    'It stays there for up to 30 days, takes no space of the plan, and can be restored. Where the trash is full, those that have been there longest are deleted permanently.',
  access: 'verified',
  params: one,
  response: done,
  errors: ['not_found'],
});

export const listTrash = operation({
  method: 'GET',
  path: '/trash',
  summary: 'List the trash',
  description: 'Returns deleted entries, most recently deleted first. Each stays for up to 30 days.',
  access: 'verified',
  response: z.array(trashedEntry),
  errors: [],
});

export const restoreEntry = operation({
  method: 'POST',
  path: '/trash/:id/restore',
  summary: 'Restore an entry',
  description: 'Takes it out of the trash, if the plan has space for it.',
  access: 'verified',
  params: one,
  response: entry,
  errors: ['not_found', 'quota_reached'],
});

export const purgeEntry = operation({
  method: 'POST',
  path: '/trash/:id/purge',
  summary: 'Delete an entry forever',
  description: 'Deletes an entry that’s in the trash, along with its video.',
  access: 'verified',
  params: one,
  response: done,
  errors: ['not_found'],
});

export const dashboardDetails = operation({
  method: 'GET',
  path: '/dashboard_details',
  summary: 'Get the dashboard',
  description: 'Returns the six newest entries and the journal’s stats.',
  access: 'verified',
  response: z.object({
    entries: z.array(entrySummary),
    stats: z.object({
      totalEntries: z.int().meta({ example: 128 }),
      recentTopic: z
        .string()
        .meta({ description: 'What recent entries are about; empty if unknown.', example: 'Family' }),
    }),
  }),
  errors: [],
});
