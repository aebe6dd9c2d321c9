import { z } from 'zod';
import { id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const importKind = z.enum(['files', 'takeout', 'day_one', 'daylight']).meta({
  description: 'What was chosen: video files, a Google Takeout, a Day One export, or an archive of Daylight.',
  example: 'takeout',
});

export const createImport = operation({
  method: 'POST',
  path: '/imports',
  summary: 'Start an import',
  description:
    'Everything that’s imported belongs to an import, so that it can be undone as a whole. An import without entries isn’t listed.',
  access: 'verified',
  body: z.object({
    kind: importKind,
    name: text(255, 'The import needs a name.').meta({
      description: 'The name of the file or folder that was chosen.',
      example: 'takeout-20261118.zip',
    }),
  }),
  status: 201,
  response: z.object({ id: resourceId }),
  errors: ['validation_failed', 'quota_reached'],
});

export const listImports = operation({
  method: 'GET',
  path: '/imports',
  summary: 'List imports',
  description: 'Returns the account’s imports of the last 30 days, newest first: at most 100.',
  access: 'verified',
  response: z.object({
    imports: z.array(
      z
        .object({
          id: resourceId,
          kind: importKind,
          name: z.string().meta({ example: 'takeout-20261118.zip' }),
          createdAt: z.iso.datetime(),
          entryCount: z.int().meta({
            description:
              'How many entries it has added, without those in the trash and those whose videos haven’t arrived.',
            example: 412,
          }),
          firstDate: z.iso.date().nullable().meta({
            description: 'The earliest date of these entries; null without entries.',
            example: '2021-03-01',
          }),
          lastDate: z.iso.date().nullable().meta({
            description: 'The latest date of these entries; null without entries.',
            example: '2024-11-18',
          }),
          undoneAt: z.iso.datetime().nullable().meta({
            description: 'When it was undone; null if it wasn’t, or if the undo was interrupted.',
            example: null,
          }),
          undoableUntil: z.iso.datetime().meta({
            description: 'Until when it can be undone.',
            example: '2026-12-18T18:30:00.000Z',
          }),
        })
        .meta({ id: 'Import' }),
    ),
  }),
  errors: [],
});

export const undoImport = operation({
  method: 'POST',
  path: '/imports/:id/undo',
  summary: 'Undo an import',
  description:
    'Moves its entries to the trash, cancels its unfinished uploads, and deletes the tags, learned words, and hidden tags and dates that it added. A tag that other entries have stays. Possible for 30 days. Calling it again finishes an undo that was interrupted.',
  access: 'verified',
  params: z.object({ id }),
  response: z.object({
    entryCount: z.int().meta({ description: 'How many entries have moved to the trash.', example: 412 }),
  }),
  errors: ['not_found', 'conflict'],
});
