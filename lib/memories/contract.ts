import { z } from 'zod';
import { id } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';
import { calendarDate, entryDate } from '@/lib/entries/contract';
import { tag } from '@/lib/tags/contract';

/** What someone doesn't want to be reminded of: exactly one of entry, tag, and date is set. */
export const hiddenMemory = z.object({
  id: z.string(),
  entry: z.object({ id: z.string(), title: z.string(), date: calendarDate }).nullable(),
  tag: tag.nullable(),
  date: calendarDate.nullable(),
});
export type HiddenMemory = z.infer<typeof hiddenMemory>;

export const listHidden = operation({
  method: 'GET',
  path: '/memories/hidden',
  summary: 'List what’s hidden from On This Day, most recent first.',
  access: 'verified',
  response: z.array(hiddenMemory),
  errors: [],
});

export const hideMemory = operation({
  method: 'POST',
  path: '/memories/hidden',
  summary: 'Hide an entry, a tag, or a date from On This Day. Hiding it again has no effect.',
  access: 'verified',
  body: z.union(
    [z.strictObject({ entryId: id }), z.strictObject({ tagId: id }), z.strictObject({ date: entryDate })],
    'Choose an entry, a tag, or a date to hide.',
  ),
  response: hiddenMemory,
  status: 201,
  errors: ['validation_failed', 'not_found'],
});

export const unhideMemory = operation({
  method: 'DELETE',
  path: '/memories/hidden/:id',
  summary: 'Show a hidden entry, tag, or date in On This Day again.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});
