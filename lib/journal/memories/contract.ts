import { z } from 'zod';
import { done, id, resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entrySummary } from '@/lib/journal/entries/contract';
import { calendarDate, entryDate } from '@/lib/journal/entries/date-fields';
import { tag } from '@/lib/journal/tags/contract';

/** What someone doesn't want to be reminded of: exactly one of entry, tag, and date is set. */
export const hiddenMemory = z
  .object({
    id: resourceId,
    entry: entrySummary.pick({ id: true, title: true, date: true }).nullable(),
    tag: tag.nullable().meta({ example: null }),
    date: calendarDate.nullable().meta({ example: null }),
  })
  .meta({ id: 'HiddenMemory', description: 'Exactly one of `entry`, `tag`, and `date` is set.' });
export type HiddenMemory = z.infer<typeof hiddenMemory>;

export const listHidden = operation({
  method: 'GET',
  path: '/memories/hidden',
  summary: 'List hidden memories',
  description: 'Returns what’s hidden from On This Day, most recently hidden first.',
  access: 'verified',
  response: z.array(hiddenMemory),
  errors: [],
});

export const hideMemory = operation({
  method: 'POST',
  path: '/memories/hidden',
  summary: 'Hide a memory',
  description: 'Hides an entry, a tag, or a date from On This Day. Hiding it again has no effect.',
  access: 'verified',
  body: z.union(
    [z.strictObject({ entryId: id }), z.strictObject({ tagId: id }), z.strictObject({ date: entryDate })],
    'Choose an entry, a tag, or a date to hide.',
  ),
  response: hiddenMemory,
  status: 201,
  errors: ['validation_failed', 'not_found'],
});
/** What is to be hidden, by one of the three. */
export type HiddenTarget = z.output<typeof hideMemory.body>;

export const unhideMemory = operation({
  method: 'DELETE',
  path: '/memories/hidden/:id',
  summary: 'Show a memory again',
  description: 'Brings a hidden entry, tag, or date back to On This Day.',
  access: 'verified',
  params: z.object({ id }),
  response: done,
  errors: ['not_found'],
});
