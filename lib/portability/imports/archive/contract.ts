import { z } from 'zod';
import { done, id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { entryQuestion, entryTitle } from '@/lib/journal/entries/contract';
import { entryDate } from '@/lib/journal/entries/date-fields';
import { MAX_ENTRY_NOTES, noteMoment, noteText } from '@/lib/journal/notes/contract';
import { tagColor, tagName } from '@/lib/journal/tags/contract';
import { wordList, wordSeconds, wordText } from '@/lib/journal/transcripts/contract';
import { declaredFile, fileBytes, fileSeconds } from '@/lib/video/uploads/contract';

const DAY_MS = 24 * 3600 * 1000;
const EARLIEST = Date.UTC(1900, 0);

/** When something was made. A day of tolerance, since the clock of the site it comes from may be fast. */
export const moment = z.iso
  .datetime('Enter a time as in 2026-03-01T18:30:00.000Z.')
  .refine((value) => {
    const at = Date.parse(value);
    return at >= EARLIEST && at <= Date.now() + DAY_MS;
  }, 'This time is in the future, or too long ago.')
  .transform((value) => new Date(value))
  .meta({ example: '2026-03-01T18:30:00.000Z' });

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'This checksum isn’t valid.')
  .meta({
    description: 'In hex.',
    example: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });

const sourceId = z.string().max(100).meta({
  description: 'The entry’s id in the archive.',
  example: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90',
});

/** The entries of an archive that have the same video. They're recognized together, so that none is taken for another. */
const twins = z
  .array(
    z
      .object({ id: sourceId, date: z.iso.date().meta({ example: '2026-03-01' }) })
      .meta({ id: 'ArchivedTwin' }),
  )
  .min(1)
  .max(1000, 'Send at most 1,000 entries with the same video.')
  .meta({ description: 'All entries of the archive that have this video, in its order.' });

const tag = z.object({ name: tagName, color: tagColor }).meta({ id: 'ImportedTag' });

/** An imported entry's tags. */
export const entryTags = z.array(tag).max(1000, 'Send at most 1,000 tags.');

/** An imported entry's notes. */
export const entryNotes = z
  .array(z.object({ text: noteText, moment: noteMoment, createdAt: moment }).meta({ id: 'ImportedNote' }))
  .max(MAX_ENTRY_NOTES, 'Send at most 5,000 notes.');

/** What the operations that import an entry have in common. */
export const importsEntry = {
  bodyLimit: 5_000_000,
  oneAtATime: true,
  status: 201,
  response: z
    .object({
      entryId: resourceId,
      exists: z.boolean().meta({ description: 'Whether there’s nothing to do.', example: false }),
    })
    .meta({ id: 'ImportedEntry' }),
  errors: [
    'validation_failed',
    'not_found',
    'conflict',
    'unsupported_media_type',
    'too_large',
    'quota_reached',
  ],
} as const;

/** The import that something belongs to. */
const importId = id.meta({
  description: 'The import it belongs to.',
  example: '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d93',
});

export const checkImport = operation({
  method: 'POST',
  path: '/imports/check',
  summary: 'Check what to import',
  description: 'Tells which entries of an archive the journal already has. Changes nothing.',
  access: 'verified',
  body: z.object({
    videos: z.array(z.object({ sha256, twins })).max(500, 'Send at most 500 videos.'),
  }),
  bodyLimit: 1_000_000,
  response: z.object({
    states: z.array(z.array(z.enum(['new', 'started', 'exists']))).meta({
      description:
        'For each video, the states of its entries, in the order of the request. An import that was interrupted has `started`.',
    }),
  }),
  errors: ['validation_failed'],
});

export const importJournal = operation({
  method: 'POST',
  path: '/imports/journal',
  summary: 'Import tags and settings',
  description:
    'Adds what doesn’t belong to one entry. Changes nothing that the account already has: an existing tag of the same name, ignoring case, keeps its color.',
  access: 'verified',
  body: z.object({
    import_id: importId,
    exportedAt: moment,
    tags: z.array(tag).max(5000, 'Send at most 5,000 tags.'),
    vocabulary: z.array(text(200).meta({ example: 'Siobhan' })).max(200, 'Send at most 200 words.'),
    hiddenTags: z.array(z.object({ name: tagName, createdAt: moment })).max(5000),
    hiddenDates: z.array(z.object({ date: entryDate, createdAt: moment })).max(5000),
  }),
  bodyLimit: 1_000_000,
  response: done,
  errors: ['validation_failed', 'not_found', 'conflict', 'quota_reached'],
});

export const importEntry = operation({
  method: 'POST',
  path: '/imports/entries',
  summary: 'Import an entry',
  description:
    'Reserves space for the video and creates the entry with its tags and notes. Send the revisions of its transcript next, and then the video as any upload in parts; no list shows it before. If the journal already has the video on this date, changes nothing. An import that was interrupted goes on.',
  access: 'verified',
  body: z.object({
    import_id: importId,
    ...declaredFile,
    sha256,
    twins,
    twin: z.int().min(0).max(999).meta({ description: 'Which of `twins` this is, from 0.', example: 0 }),
    size: fileBytes,
    duration: fileSeconds.nullable(),
    title: entryTitle,
    date: entryDate,
    question: entryQuestion.nullable().optional(),
    createdAt: moment,
    tags: entryTags,
    notes: entryNotes,
    hiddenAt: moment
      .nullable()
      .meta({ description: 'When it was hidden from On This Day; null if it isn’t.' }),
    transcript: z
      .object({
        status: z.enum(['processing', 'completed', 'failed', 'no_speech']).meta({
          example: 'completed',
          description: 'With `processing`, the video is transcribed once it has arrived.',
        }),
        language: z
          .string()
          .regex(/^[A-Za-z0-9-]{1,35}$/)
          .nullable()
          .meta({ description: 'A BCP 47 tag.', example: 'en' }),
        sha256: sha256.meta({ description: 'Of the transcript’s file, in hex.' }),
      })
      .nullable()
      .meta({ description: 'Null to transcribe the video.' }),
  }),
  ...importsEntry,
});

const word = z.tuple([wordText, wordSeconds, wordSeconds, z.number().min(0).max(1).nullable()]).meta({
  description:
    'Its text, when it starts and ends, in seconds, and the engine’s confidence, 0 to 1; null if it reported none. Lists, since they’re half as long as objects.',
  example: ['Hello', 0.48, 0.92, 0.97],
});

export const importRevision = operation({
  method: 'POST',
  path: '/imports/entries/:id/revisions',
  summary: 'Import a transcript revision',
  description:
    'Adds one revision of the transcript to an entry that’s being imported. Sending it again changes nothing.',
  access: 'verified',
  params: z.object({ id }),
  body: z.object({
    revision: z.int().min(0).max(1_000_000).meta({ description: '0 is what the engine heard.', example: 0 }),
    createdAt: moment,
    engine: text(200).nullable().meta({ example: 'moonshine-base' }),
    draft: z.boolean().meta({ example: false }),
    estimated: z.boolean().meta({ example: false }),
    logProbability: z
      .number()
      .min(-1000)
      .max(1000)
      // As the database stores it, which rejects what would be rounded to 0.
      .transform(Math.fround)
      .nullable()
      .meta({ example: -0.12 }),
    words: wordList(word, ([, start, end]) => [start, end]),
  }),
  bodyLimit: 5_000_000,
  oneAtATime: true,
  response: done,
  errors: ['validation_failed', 'not_found', 'conflict', 'quota_reached'],
});
