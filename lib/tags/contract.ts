import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const tag = z.object({ id: z.string(), name: z.string(), color: z.string() });
export type Tag = z.infer<typeof tag>;

const name = text(50, 'Please name the tag.');
const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a color as # and six hex digits.');

export const listTags = operation({
  method: 'GET',
  path: '/category',
  summary: 'Every tag of the account, by name.',
  access: 'verified',
  response: z.object({ categories: z.array(tag) }),
  errors: [],
});

export const createTag = operation({
  method: 'POST',
  path: '/category',
  summary: 'Make a tag; names differ in more than case.',
  access: 'verified',
  body: z.object({ category_name: name, category_color: color.default('#FFFFFF') }),
  response: tag,
  status: 201,
  errors: ['validation_failed', 'conflict'],
});

export const deleteTag = operation({
  method: 'DELETE',
  path: '/category/:id',
  summary: 'Delete a tag; it leaves every entry.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({}),
  errors: ['not_found'],
});

export const updateTags = operation({
  method: 'POST',
  path: '/bulk/category',
  summary: 'Rename and recolour tags, all or none of them.',
  access: 'verified',
  body: z.object({
    categories: z
      .array(z.object({ id, color, name }))
      .max(1000, 'Please send at most 1,000 tags.')
      .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Send each tag once.'),
  }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const mergeTag = operation({
  method: 'POST',
  path: '/category/:id/merge',
  summary: 'Give every entry of this tag another one in its place, and delete it.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({ into: id }),
  response: z.array(tag),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const setEntryTags = operation({
  method: 'POST',
  path: '/entry/:id/categories',
  summary: 'Give an entry its full new list of tags.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    categories: z
      .array(z.union([id, z.object({ id })], "One of these isn't a tag. Please choose again."))
      .max(1000, 'Please send at most 1,000 tags.')
      .transform((all) => [...new Set(all.map((one) => (typeof one === 'string' ? one : one.id)))]),
  }),
  response: z.object({ tags: z.array(tag) }),
  errors: ['validation_failed', 'not_found'],
});
