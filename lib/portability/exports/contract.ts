import { z } from 'zod';
import { done, id, resourceId } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { MAX_SELECTED, TOO_MANY_SELECTED } from '@/lib/journal/entries/shared/selection';

const year = z.int().min(1).max(9999);

const exportOfJournal = z
  .object({
    id: resourceId,
    status: z.enum(['preparing', 'ready', 'failed']).meta({ example: 'ready' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong, for people, if it failed.', example: null }),
    progress: z.number().min(0).max(1).meta({ description: 'How much of it is prepared.', example: 1 }),
    bytes: z
      .number()
      .nullable()
      .meta({ description: 'The size of the ZIP file; null until it’s known.', example: 6_120_450_332 }),
    fileName: z.string().meta({ example: 'Daylight 2026-11-18.zip' }),
    fromYear: year.nullable().meta({ example: null }),
    toYear: year.nullable().meta({ example: null }),
    entries: z
      .int()
      .nullable()
      .meta({ description: 'How many entries were selected; null if it isn’t a selection.', example: null }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().meta({
      description: 'When it’s deleted; null until it’s ready.',
      example: '2026-11-25T18:30:00.000Z',
    }),
  })
  .meta({ id: 'Export' });
export type Export = z.infer<typeof exportOfJournal>;

const one = z.object({ id });

export const createExport = operation({
  method: 'POST',
  path: '/exports',
  summary: 'Export a journal',
  description:
    'Prepares a ZIP file of everything, of a range of years, or of selected entries. Preparing it takes a while. Once it’s ready, it can be downloaded for 7 days. Asking for the same again while it’s being prepared returns the same export. An account has up to 3 exports of its journal and 3 of selected entries. A new one replaces the oldest, except those being prepared.',
  access: 'verified',
  body: z
    .strictObject({
      fromYear: year.optional().meta({ example: 2024 }),
      toYear: year.optional().meta({ example: 2026 }),
      entries: z
        .array(id)
        .min(1, 'Choose at least one entry.')
        .max(MAX_SELECTED, TOO_MANY_SELECTED)
        .optional(),
      notify: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether to send an email when it’s ready.', example: true }),
    })
    .refine(({ fromYear, toYear }) => !fromYear || !toYear || fromYear <= toYear, {
      message: 'The first year must not be after the last one.',
      path: ['fromYear'],
    }),
  response: exportOfJournal,
  status: 201,
  errors: ['validation_failed', 'not_found', 'conflict', 'rate_limited'],
});

export const listExports = operation({
  method: 'GET',
  path: '/exports',
  summary: 'List exports',
  description: 'Returns the account’s exports, newest first.',
  access: 'verified',
  response: z.array(exportOfJournal),
  errors: [],
});

export const getExport = operation({
  method: 'GET',
  path: '/exports/:id',
  summary: 'Get an export',
  description: 'Returns the export’s status and progress.',
  access: 'verified',
  params: one,
  response: exportOfJournal,
  errors: ['not_found'],
});

export const downloadExport = operation({
  method: 'GET',
  path: '/exports/:id/download',
  summary: 'Download an export',
  description:
    'Redirects to a signed storage URL of the ZIP file, which supports range requests for 12 hours.',
  access: 'verified',
  params: one,
  produces: 'application/zip',
  status: 307,
  errors: ['not_found'],
});

export const retryExport = operation({
  method: 'POST',
  path: '/exports/:id/retry',
  summary: 'Retry an export',
  description:
    'Replaces an export that failed with a new one that’s the same otherwise, from the journal as it is now.',
  access: 'verified',
  params: one,
  response: exportOfJournal,
  status: 201,
  errors: ['not_found', 'conflict', 'rate_limited'],
});

export const deleteExport = operation({
  method: 'DELETE',
  path: '/exports/:id',
  summary: 'Delete an export',
  description: 'Deletes the ZIP file, or stops preparing it.',
  access: 'verified',
  params: one,
  response: done,
  errors: ['not_found'],
});
