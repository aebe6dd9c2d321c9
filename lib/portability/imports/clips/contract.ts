import { z } from 'zod';
import { id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entryTitle } from '@/lib/journal/entries/contract';
import { entryDate } from '@/lib/journal/entries/date-fields';
import { entryNotes, entryTags, importsEntry, moment } from '@/lib/portability/imports/archive/contract';
import { declaredFile, fileBytes, fileSeconds } from '@/lib/video/uploads/contract';

const one = z.object({ id });

const clipId = text(200).meta({
  description: 'Chosen by the client, the same for a file each time, and unique within its import.',
  example: 'Takeout/Google Photos/Trip/VID_20240501.mp4 48120332',
});

export const importClip = operation({
  method: 'POST',
  path: '/imports/:id/clips',
  summary: 'Import a clip',
  description:
    'Reserves space for a video that isn’t from Daylight, and creates its entry with its tags and notes. Send the video next as any upload in parts; no list shows the entry before. Sending the same `clip_id` again finds the entry, and updates it unless its video is complete. Another size or type of the file starts it over.',
  access: 'verified',
  params: one,
  body: z.object({
    clip_id: clipId,
    ...declaredFile,
    size: fileBytes,
    duration: fileSeconds.nullable(),
    title: entryTitle,
    titleFromWords: z.boolean().meta({
      description:
        'Whether the first words that are said replace the title, unless someone has changed it by then.',
      example: false,
    }),
    date: entryDate,
    recordedAt: moment.nullable().meta({
      description: 'When it was recorded, which orders the entries of a day; null if that isn’t known.',
    }),
    tags: entryTags,
    notes: entryNotes,
  }),
  ...importsEntry,
});

export const listClips = operation({
  method: 'GET',
  path: '/imports/:id/clips',
  summary: 'List an import’s clips',
  description: 'Returns the clips that were sent or started, so that an interrupted import can go on.',
  access: 'verified',
  params: one,
  response: z.object({
    clips: z.array(
      z
        .object({
          clipId: z.string().meta({ example: 'Takeout/Google Photos/Trip/VID_20240501.mp4 48120332' }),
          state: z.enum(['started', 'exists']).meta({
            description: '`exists` once its video is complete, also if the entry is in the trash.',
            example: 'exists',
          }),
        })
        .meta({ id: 'ImportedClip' }),
    ),
  }),
  errors: ['not_found', 'conflict'],
});

export const findVideos = operation({
  method: 'POST',
  path: '/imports/find-videos',
  summary: 'Find videos by size',
  description:
    'Returns the entries whose original video has one of these sizes, to compare them with what’s about to be imported. Changes nothing.',
  access: 'verified',
  body: z.object({
    videos: z
      .array(z.object({ size: fileBytes }))
      .max(1000, 'Send at most 1,000 sizes.')
      .refine(
        (videos) => new Set(videos.map(({ size }) => size)).size === videos.length,
        'Send each size once.',
      ),
  }),
  response: z.object({
    videos: z.array(
      z
        .object({
          size: z.int().meta({ description: 'In bytes.', example: 48_120_332 }),
          entryId: resourceId,
          title: z.string().meta({ example: 'A walk by the harbor' }),
          date: z.iso.date().meta({ example: '2024-05-01' }),
          sha256: z.string().nullable().meta({
            description: 'The original’s checksum in hex; null while it isn’t known.',
            example: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
          }),
          duration: z
            .number()
            .nullable()
            .meta({ description: 'In seconds; null until it’s known.', example: 92.4 }),
          recordedAt: z.iso.datetime().nullable().meta({
            description: 'When it was recorded, if it was imported and that was known.',
            example: '2024-05-01T18:30:00.000Z',
          }),
        })
        .meta({ id: 'FoundVideo' }),
    ),
  }),
  errors: ['validation_failed'],
});
