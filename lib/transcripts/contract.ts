import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

/** Times are in seconds, with at most 3 decimals. */
export const word = z.object({
  word: z.string(),
  start_time: z.number(),
  end_time: z.number(),
  /** The engine's confidence that it heard this, 0 to 1; omitted if it didn't report one, and for corrected words. */
  confidence: z.number().optional(),
});
export type Word = z.infer<typeof word>;

export const transcription = z.object({
  words: z.array(word),
  status: z.enum(['processing', 'completed', 'failed', 'no_speech']),
  /** BCP 47, or null while unknown. */
  language: z.string().nullable(),
  /** A sentence for the user, if failed. */
  error: z.string().nullable(),
  /** The revision of these words: 0 is the engine's original; null while there is none. */
  revision: z.int().nullable(),
  /** Made by an engine that makes many mistakes, and not corrected yet. */
  draft: z.boolean(),
});
export type Transcription = z.infer<typeof transcription>;

/** A revision of the transcript. */
export const revision = z.object({
  revision: z.int(),
  createdAt: z.iso.datetime(),
  /** How many words it has. */
  words: z.int(),
});
export type Revision = z.infer<typeof revision>;

const one = z.object({ id });
const oneRevision = z.object({ id, revision: z.coerce.number().int().min(0).max(1_000_000) });

const seconds = z.number().min(0).max(1_000_000);

const spoken = z
  .array(
    z
      .object({ word: text(200, 'Every word needs text.'), startTime: seconds, endTime: seconds })
      .refine((word) => word.startTime <= word.endTime, 'A word ends before it starts.'),
  )
  .max(100_000, 'Send at most 100,000 words.')
  .refine(
    (words) =>
      words.every((word, index) => index === 0 || word.startTime >= (words[index - 1]?.startTime ?? 0)),
    'The words aren’t in time order.',
  );

/** A two-hour transcript is about 2 MB. */
const BODY_LIMIT = 5_000_000;

export const saveTranscription = operation({
  method: 'POST',
  path: '/entry/:id/transcription',
  summary:
    'Save a corrected transcript as a new revision. Earlier revisions stay available. `revision` names the one that was edited; if there’s a newer one, the request fails with a conflict.',
  access: 'verified',
  params: one,
  body: z.object({
    transcription: z.object({ words: spoken }),
    revision: z.int().min(0).max(1_000_000).nullable().optional(),
  }),
  bodyLimit: BODY_LIMIT,
  response: z.object({ transcription }),
  errors: ['validation_failed', 'not_found', 'conflict'],
});

export const listRevisions = operation({
  method: 'GET',
  path: '/entry/:id/transcription/revisions',
  summary: 'List a transcript’s revisions, current one first.',
  access: 'verified',
  params: one,
  response: z.array(revision),
  errors: ['not_found'],
});

export const readRevision = operation({
  method: 'GET',
  path: '/entry/:id/transcription/revisions/:revision',
  summary: 'Get the words of one revision.',
  access: 'verified',
  params: oneRevision,
  response: revision.extend({ words: z.array(word) }),
  errors: ['not_found'],
});

export const restoreRevision = operation({
  method: 'POST',
  path: '/entry/:id/transcription/revisions/:revision/restore',
  summary: 'Restore an earlier revision as a new one.',
  access: 'verified',
  params: oneRevision,
  response: z.object({ transcription }),
  errors: ['not_found'],
});

export const retryTranscription = operation({
  method: 'POST',
  path: '/entry/:id/transcription/retry',
  summary: 'Retry a transcription that failed or found no speech.',
  access: 'verified',
  params: one,
  response: z.object({ transcription }),
  status: 202,
  errors: ['not_found', 'conflict'],
});

export const getCaptions = operation({
  method: 'GET',
  path: '/entry/:id/captions.vtt',
  summary: 'Get the transcript as WebVTT captions.',
  access: 'verified',
  params: one,
  produces: 'text/vtt',
  errors: ['not_found'],
});

export const getSubtitles = operation({
  method: 'GET',
  path: '/entry/:id/captions.srt',
  summary: 'Get the transcript as SubRip captions.',
  access: 'verified',
  params: one,
  produces: 'application/x-subrip',
  errors: ['not_found'],
});

export const getText = operation({
  method: 'GET',
  path: '/entry/:id/transcript.txt',
  summary: 'Get the transcript as paragraphs of plain text.',
  access: 'verified',
  params: one,
  produces: 'text/plain',
  errors: ['not_found'],
});
