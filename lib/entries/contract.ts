import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { note } from '@/lib/notes/contract';
import { tag } from '@/lib/tags/contract';
import { transcription } from '@/lib/transcripts/contract';
import { fromIso, fromParts, isWithinPast100Years, latestToday } from './calendar';

export const calendarDate = z.object({ day: z.int(), month: z.int(), year: z.int() });

const UNREADABLE = 'Invalid date. Must be in MM/DD/YYYY format.';
const OUT_OF_RANGE = 'Invalid date. Must be in the past 100 years.';

/** `YYYY-MM-DD` or `{day, month, year}`; no later than today in UTC+14, and no more than 100 years ago. */
export const entryDate = z.union([z.string(), calendarDate], UNREADABLE).transform((value, context) => {
  const date = typeof value === 'string' ? fromIso(value) : fromParts(value);
  if (!date) context.addIssue({ code: 'custom', message: UNREADABLE });
  else if (!isWithinPast100Years(date, latestToday()))
    context.addIssue({ code: 'custom', message: OUT_OF_RANGE });
  return date ?? z.NEVER;
});

export const entryTitle = text(200, 'Must have a title.');

export const entryStatus = z.enum(['processing', 'completed', 'failed']);
export const videoStatus = z.enum(['uploading', 'uploaded', 'processing', 'ready', 'failed']);

/** What a card shows. `thumbnail` is '' until there is one; `duration` is seconds, null until probed. */
export const entrySummary = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.iso.datetime(),
  thumbnail: z.string(),
  date: calendarDate,
  status: entryStatus,
  duration: z.number().nullable(),
  /** The video failed only because it's too long for the plan; it's processed once it fits. */
  heldByPlan: z.boolean(),
  tags: z.array(tag),
});
export type EntrySummary = z.infer<typeof entrySummary>;

export const entry = entrySummary.extend({
  /** '' until the video can be played. */
  videoUrl: z.string(),
  videoStatus,
  videoError: z.string().nullable(),
  notes: z.array(note),
  transcription,
});
export type Entry = z.infer<typeof entry>;

/** An entry in the trash: its size in bytes, and when it'll be deleted permanently. */
export const trashedEntry = entrySummary.extend({
  bytes: z.number(),
  trashedAt: z.iso.datetime(),
  purgedAt: z.iso.datetime(),
});
export type TrashedEntry = z.infer<typeof trashedEntry>;

const one = z.object({ id });

export const listEntries = operation({
  method: 'GET',
  path: '/entries',
  summary: 'List entries, newest first. Paginates with limit and cursor (Link and X-Total-Count headers).',
  access: 'verified',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    cursor: z.string().max(200).optional(),
  }),
  response: z.array(entrySummary),
  errors: ['validation_failed'],
});

export const getEntry = operation({
  method: 'GET',
  path: '/entry/:id',
  summary: 'Get an entry with its notes, tags, and transcript.',
  access: 'verified',
  params: one,
  response: entry,
  errors: ['not_found'],
});

export const updateEntry = operation({
  method: 'POST',
  path: '/entry/:id',
  summary: 'Update an entry’s title or date.',
  access: 'verified',
  params: one,
  body: z
    .object({ title: entryTitle.optional(), date: entryDate.optional() })
    .refine((body) => body.title !== undefined || body.date !== undefined, {
      message: 'Enter a title or a date.',
      path: ['title'],
    }),
  response: entry,
  errors: ['validation_failed', 'not_found'],
});

export const removeEntry = operation({
  method: 'POST',
  path: '/entry/:id/remove',
  summary: 'Move an entry to the trash.',
  access: 'verified',
  params: one,
  response: z.object({}),
  errors: ['not_found'],
});

export const listTrash = operation({
  method: 'GET',
  path: '/trash',
  summary: 'List the entries in the trash, most recently deleted first. Each stays there for 30 days.',
  access: 'verified',
  response: z.array(trashedEntry),
  errors: [],
});

export const restoreEntry = operation({
  method: 'POST',
  path: '/trash/:id/restore',
  summary: 'Restore an entry from the trash, if the plan has space for it.',
  access: 'verified',
  params: one,
  response: entry,
  errors: ['not_found', 'quota_reached'],
});

export const purgeEntry = operation({
  method: 'POST',
  path: '/trash/:id/purge',
  summary: 'Permanently delete an entry that is in the trash.',
  access: 'verified',
  params: one,
  response: z.object({}),
  errors: ['not_found'],
});

export const dashboardDetails = operation({
  method: 'GET',
  path: '/dashboard_details',
  summary: 'Get the six newest entries and the journal’s stats.',
  access: 'verified',
  response: z.object({
    entries: z.array(entrySummary),
    stats: z.object({ totalEntries: z.int(), recentTopic: z.string() }),
  }),
  errors: [],
});

export const getVideo = operation({
  method: 'GET',
  path: '/entry/:id/video',
  summary: 'Redirect to a signed storage URL of the playable video.',
  access: 'verified',
  params: one,
  produces: 'video/mp4',
  status: 307,
  errors: ['not_found'],
});

export const retryVideo = operation({
  method: 'POST',
  path: '/entry/:id/video/retry',
  summary: 'Process a video again that couldn’t be processed.',
  access: 'verified',
  params: one,
  response: entry,
  status: 202,
  errors: ['not_found', 'conflict'],
});

export const getThumbnail = operation({
  method: 'GET',
  path: '/entry/:id/thumbnail',
  summary: 'Redirect to a signed storage URL of the thumbnail.',
  access: 'verified',
  params: one,
  produces: 'image/jpeg',
  status: 307,
  errors: ['not_found'],
});
