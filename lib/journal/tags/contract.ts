import { z } from 'zod';
import { done, id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { DEFAULT_TAG_COLOR } from './shared/default-color';

export const tag = z
  .object({
    id: resourceId,
    name: z.string().meta({ example: 'Family' }),
    color: z.string().meta({ example: '#336699' }),
  })
  .meta({ id: 'Tag' });
export type Tag = z.infer<typeof tag>;

export const tagName = text(50, 'Enter a tag name.').meta({ example: 'Family' });
export const tagColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Enter a color as # and six hex digits.')
  .meta({ example: '#336699' });

export const listTags = operation({
  method: 'GET',
  path: '/category',
  summary: 'List tags',
  description: 'Returns the account’s tags by name.',
  access: 'verified',
  response: z.object({ categories: z.array(tag) }),
  errors: [],
});

export const createTag = operation({
  method: 'POST',
  path: '/category',
  summary: 'Create a tag',
  description: 'Names are unique, ignoring case.',
  access: 'verified',
  body: z.object({ category_name: tagName, category_color: tagColor.default(DEFAULT_TAG_COLOR) }),
  response: tag,
  status: 201,
  errors: ['validation_failed', 'conflict', 'quota_reached'],
});

export const deleteTag = operation({
  method: 'DELETE',
  path: '/category/:id',
  summary: 'Delete a tag',
  description: 'Deletes it and removes it from every entry. It can be undone for a day.',
  access: 'verified',
  params: z.object({ id }),
  response: done,
  errors: ['not_found'],
});

export const restoreTag = operation({
  method: 'POST',
  path: '/category/:id/restore',
  summary: 'Undo the deletion of a tag',
  description: 'Brings back a tag that was deleted within the last day, on every entry that had it.',
  access: 'verified',
  params: z.object({ id }),
  response: tag,
  errors: ['not_found', 'conflict', 'quota_reached'],
});

export const updateTags = operation({
  method: 'POST',
  path: '/bulk/category',
  summary: 'Update tags',
  description: 'Renames and recolors tags, all or nothing. Returns every tag of the account.',
  access: 'verified',
  body: z.object({
    categories: z
      .array(z.object({ id, color: tagColor, name: tagName }))
      .max(1000, 'Send at most 1,000 tags.')
      .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Send each tag once.'),
  }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const mergeTag = operation({
  method: 'POST',
  path: '/category/:id/merge',
  summary: 'Merge a tag',
  description:
    'Replaces this tag with another one on every entry, and deletes it. Returns the remaining tags.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    into: id.meta({
      description: 'The tag that takes its place.',
      example: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d92',
    }),
  }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const setEntryTags = operation({
  method: 'POST',
  path: '/entry/:id/categories',
  summary: 'Set an entry’s tags',
  description: 'Replaces all of the entry’s tags with the given list.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    categories: z
      .array(
        z.union(
          [id, z.object({ id }).meta({ id: 'TagReference' })],
          'One of these isn’t a tag. Choose again.',
        ),
      )
      .max(1000, 'Send at most 1,000 tags.')
      .transform((all) => [...new Set(all.map((one) => (typeof one === 'string' ? one : one.id)))]),
  }),
  response: z.object({ tags: z.array(tag) }),
  errors: ['validation_failed', 'not_found'],
});
