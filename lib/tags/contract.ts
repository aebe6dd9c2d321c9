import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
export type Tag = z.infer<typeof tag>;

const name = text(50, 'Enter a tag name.');
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a color as # and six hex digits.');

export const listTags = operation({
  method: 'GET',
  path: '/category',
  summary: 'List tags by name.',
  access: 'verified',
  response: z.object({ categories: z.array(tag) }),
  errors: [],
});

export const createTag = operation({
  method: 'POST',
  path: '/category',
  summary: 'Create a tag. Names are unique, ignoring case.',
  access: 'verified',
  body: z.object({ category_name: name, category_color: color.default('#FFFFFF') }),
  response: tag,
  status: 201,
  errors: ['validation_failed', 'conflict'],
});

export const deleteTag = operation({
  method: 'DELETE',
  path: '/category/:id',
  summary: 'Delete a tag and remove it from every entry.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});

export const updateTags = operation({
  method: 'POST',
  path: '/bulk/category',
  summary: 'Rename and recolor tags, all or nothing.',
  access: 'verified',
  body: z.object({
    categories: z
      .array(z.object({ id, color, name }))
      .max(1000, 'Send at most 1,000 tags.')
      .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Send each tag once.'),
  }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const mergeTag = operation({
  method: 'POST',
  path: '/category/:id/merge',
  summary: 'Replace this tag with another one on every entry, and delete it.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({ into: id }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const setEntryTags = operation({
  method: 'POST',
  path: '/entry/:id/categories',
  summary: 'Replace an entry’s tags.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    categories: z
      .array(z.union([id, z.object({ id })], 'One of these isn’t a tag. Choose again.'))
      .max(1000, 'Send at most 1,000 tags.')
      .transform((all) => [...new Set(all.map((one) => (typeof one === 'string' ? one : one.id)))]),
  }),
  response: z.object({ tags: z.array(tag) }),
  errors: ['validation_failed', 'not_found'],
});
