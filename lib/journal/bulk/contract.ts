import { z } from 'zod';
import { id, resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entryFilter, entrySummary } from '@/lib/journal/entries/contract';
import { calendarDate, entryDate } from '@/lib/journal/entries/date-fields';
import { MAX_SELECTED, TOO_MANY_SELECTED } from '@/lib/journal/entries/shared/selection';
import { tagName } from '@/lib/journal/tags/contract';

/** The most tags that one operation puts on entries and takes from them. */
const MAX_TAGS = 50;
const TOO_MANY_TAGS = `Change at most ${MAX_TAGS} tags at a time.`;

const count = (ids: string[]) => new Set(ids).size;
const once = (ids: string[]) => count(ids) === ids.length;

const entryIds = z
  .array(id)
  .min(1, 'Select an entry.')
  .max(MAX_SELECTED, TOO_MANY_SELECTED)
  .refine(once, 'Send each entry once.')
  .meta({ description: 'Ids of entries, each once.' });

const tagIds = z.array(id).max(MAX_TAGS, TOO_MANY_TAGS);

const selection = z.object({ entries: entryIds });
const affected = z.object({ entries: z.array(resourceId) }).meta({ id: 'AffectedEntries' });

const ALL_OR_NOTHING =
  'All or nothing: an unknown entry answers `not_found`, and nothing changes. Of several entries, `fields` has the unknown ids.';

export const listRange = operation({
  method: 'GET',
  path: '/bulk/entries/range',
  summary: 'List a range of entries',
  description: `Returns the entries from one to another, both included, in the order of lists: at most ${MAX_SELECTED}. Tags, a month or year, and notes narrow it down.`,
  access: 'verified',
  query: z.object({
    from: id.meta({ description: 'The entry at one end.' }),
    to: id.meta({ description: 'The entry at the other end.' }),
    ...entryFilter,
  }),
  response: z.array(entrySummary),
  errors: ['validation_failed', 'not_found'],
});

export const removeEntries = operation({
  method: 'POST',
  path: '/bulk/entries/remove',
  summary: 'Move entries to the trash',
  description: `They stay there for up to 30 days. Where the trash is full, those that have been there longest are deleted permanently. ${ALL_OR_NOTHING} To undo it, restore the entries in the response.`,
  access: 'verified',
  body: selection,
  response: affected,
  errors: ['validation_failed', 'not_found'],
});

export const previewRemoval = operation({
  method: 'POST',
  path: '/bulk/entries/remove/preview',
  summary: 'Preview a move to the trash',
  description:
    'Tells whether the trash has space for entries. It holds as many bytes as the plan’s storage, and up to 2,000 entries. Where that’s not enough, moving entries there deletes those permanently that have been there longest.',
  access: 'verified',
  body: selection,
  response: z
    .object({
      limit: z.number().meta({ description: 'How much the trash holds, in bytes.', example: 5_000_000_000 }),
      used: z.number().meta({ description: 'What’s in the trash, in bytes.', example: 48_120_332 }),
      purged: z.int().meta({
        description: 'How many entries in the trash would be deleted permanently.',
        example: 0,
      }),
    })
    .meta({ id: 'TrashPreview' }),
  errors: ['validation_failed', 'not_found'],
});
export type TrashPreview = z.infer<typeof previewRemoval.response>;

export const restoreEntries = operation({
  method: 'POST',
  path: '/bulk/entries/restore',
  summary: 'Restore entries',
  description: `Takes entries out of the trash, if the plan has space for all of them. ${ALL_OR_NOTHING}`,
  access: 'verified',
  body: selection,
  response: affected,
  errors: ['validation_failed', 'not_found', 'quota_reached'],
});

/** The most days that dates can move: a hundred years. */
const MAX_DAYS = 36_525;

export const changeDates = operation({
  method: 'POST',
  path: '/bulk/entries/date',
  summary: 'Change the date of entries',
  description: `Sets one date, or moves every date by \`days\`. ${ALL_OR_NOTHING} To undo it, send the response back.`,
  access: 'verified',
  body: selection
    .extend({
      date: entryDate.optional(),
      days: z
        .int()
        .min(-MAX_DAYS)
        .max(MAX_DAYS)
        .optional()
        .meta({ description: 'Days to move by; negative for earlier.', example: -1 }),
    })
    .refine(({ date, days }) => (date === undefined) !== (days === undefined), {
      message: 'Enter a date, or a number of days.',
      path: ['date'],
    })
    // Not both, as an example made of all fields would have.
    .meta({ example: { entries: ['0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90'], days: -1 } }),
  response: z
    .object({ dates: z.array(z.object({ id: resourceId, before: calendarDate, after: calendarDate })) })
    .meta({ id: 'ChangedDates' }),
  errors: ['validation_failed', 'not_found'],
});
export type ChangedDates = z.infer<typeof changeDates.response>['dates'];

export const undoDates = operation({
  method: 'POST',
  path: '/bulk/entries/date/undo',
  summary: 'Undo a change of dates',
  description: `Takes the response of that change. If a date was changed since, answers \`conflict\`. ${ALL_OR_NOTHING}`,
  access: 'verified',
  body: z.object({
    dates: z
      .array(z.object({ id, before: entryDate, after: entryDate }))
      .min(1, 'Select an entry.')
      .max(MAX_SELECTED, TOO_MANY_SELECTED)
      .refine((dates) => once(dates.map((one) => one.id)), 'Send each entry once.'),
  }),
  bodyLimit: 150_000,
  response: affected,
  errors: ['validation_failed', 'not_found', 'conflict'],
});

const taggedEntries = z
  .array(z.object({ tag: id, entries: entryIds }).meta({ id: 'TaggedEntries' }))
  .max(MAX_TAGS, TOO_MANY_TAGS);

/** What a change of tags did, and what its undo takes. */
const changedTags = z
  .object({
    added: taggedEntries.meta({ description: 'The entries that didn’t have a tag before.' }),
    removed: taggedEntries.meta({ description: 'The entries that had a tag before.' }),
    created: tagIds.meta({ description: 'Ids of the new tags.' }),
  })
  // Together, not per tag, or an undo could lock far more entries than any change.
  .refine(
    ({ added, removed }) => count([...added, ...removed].flatMap(({ entries }) => entries)) <= MAX_SELECTED,
    {
      message: TOO_MANY_SELECTED,
      path: ['added'],
    },
  )
  .refine(
    ({ added, removed, created }) =>
      count([...[...added, ...removed].map(({ tag }) => tag), ...created]) <= MAX_TAGS,
    { message: TOO_MANY_TAGS, path: ['added'] },
  )
  .meta({ id: 'ChangedTags' });
export type ChangedTags = z.infer<typeof changedTags>;

export const changeTags = operation({
  method: 'POST',
  path: '/bulk/entries/tags',
  summary: 'Change the tags of entries',
  description: `Adds tags to the entries, new ones too, and removes others. ${ALL_OR_NOTHING} To undo it, send the response back.`,
  access: 'verified',
  body: selection
    .extend({
      add: tagIds.default([]).meta({ description: 'Ids of tags.' }),
      remove: tagIds.default([]).meta({ description: 'Ids of tags.' }),
      create: z
        .array(tagName)
        .max(MAX_TAGS, TOO_MANY_TAGS)
        .default([])
        .meta({ description: 'Names of tags to create and add.' }),
    })
    .refine(({ add, remove, create }) => add.length + remove.length + create.length <= MAX_TAGS, {
      message: TOO_MANY_TAGS,
      path: ['add'],
    })
    .refine(({ add, remove }) => once([...add, ...remove]), {
      message: 'Send each tag once.',
      path: ['add'],
    }),
  response: changedTags,
  errors: ['validation_failed', 'not_found', 'conflict', 'quota_reached'],
});

export const undoTags = operation({
  method: 'POST',
  path: '/bulk/entries/tags/undo',
  summary: 'Undo a change of tags',
  description: `Takes the response of that change. Deletes tags that it created, unless other entries have them now. ${ALL_OR_NOTHING}`,
  access: 'verified',
  body: changedTags,
  // 50 tags with 500 entries each.
  bodyLimit: 1_000_000,
  response: affected,
  errors: ['validation_failed', 'not_found'],
});
