import { z } from 'zod';
import { id, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

/** Times are in seconds, with at most 3 decimals. */
export const word = z
  .object({
    word: z.string().meta({ example: 'Hello' }),
    start_time: z.number().meta({ description: 'In seconds.', example: 0.48 }),
    end_time: z.number().meta({ description: 'In seconds.', example: 0.92 }),
    confidence: z.number().optional().meta({
      description:
        'The engine’s confidence that it heard this, 0 to 1. Omitted if it didn’t report one, and for corrected words.',
      example: 0.97,
    }),
  })
  .meta({ id: 'Word' });
export type Word = z.infer<typeof word>;

export const transcription = z
  .object({
    words: z.array(word),
    status: z.enum(['processing', 'completed', 'failed', 'no_speech']).meta({ example: 'completed' }),
    language: z.string().nullable().meta({ description: 'A BCP 47 tag; null while unknown.', example: 'en' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong, for people, if it failed.', example: null }),
    revision: z.int().nullable().meta({
      description: 'The revision of these words: 0 is what the engine heard; null while there is none.',
      example: 0,
    }),
    draft: z.boolean().meta({
      description:
        'Whether these words were heard in the browser while the video was recorded. What the server hears may replace them.',
      example: false,
    }),
    progress: z.number().min(0).max(1).optional().meta({
      description:
        'How much of the video the server has transcribed, 0 to 1. Omitted unless it’s transcribing or is about to.',
      example: 0.4,
    }),
  })
  .meta({ id: 'Transcription' });
export type Transcription = z.infer<typeof transcription>;

/** A revision of the transcript. */
export const revision = z
  .object({
    revision: z.int().meta({ example: 1 }),
    createdAt: z.iso.datetime(),
    words: z.int().meta({ description: 'How many words it has.', example: 231 }),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof revision>;

const archivedWord = z.object({
  word: z.string().meta({ example: 'Hello' }),
  start: z.number().meta({ description: 'In seconds from the start of the video.', example: 0.48 }),
  end: z.number().meta({ description: 'In seconds.', example: 0.92 }),
  confidence: z
    .number()
    .optional()
    .meta({ description: 'The engine’s, 0 to 1, if it reported one.', example: 0.97 }),
});

const archivedRevision = z.object({
  revision: z
    .int()
    .min(0)
    .meta({ description: '0 is what the engine heard, and later ones are corrections.', example: 0 }),
  createdAt: z.iso.datetime(),
  engine: z.string().nullable().meta({ example: 'moonshine-tiny' }),
  draft: z
    .boolean()
    .meta({ description: 'Heard in the browser while the video was recorded.', example: false }),
  estimated: z.boolean().meta({
    description: 'The engine timed whole sentences, so words’ times are estimates.',
    example: false,
  }),
  logProbability: z.number().nullable().meta({
    description: 'The mean natural log-probability of the engine’s tokens, if it reported one.',
    example: -0.12,
  }),
  words: z.array(archivedWord),
});

/**
 * A transcript as it's downloaded and archived, with all its revisions, oldest first. Anyone may read one, years from
 * now, so this shape only ever grows: a change that an older reader would misread gets a new version.
 */
export const archivedTranscript = z
  .object({
    format: z.literal('daylight-transcript'),
    version: z.literal(1),
    status: transcription.shape.status,
    language: transcription.shape.language,
    revisions: z.array(archivedRevision),
  })
  .meta({ id: 'DaylightTranscript' });
export type ArchivedTranscript = z.infer<typeof archivedTranscript>;

const transcriptionAnswer = z.object({ transcription }).meta({ id: 'TranscriptionAnswer' });

const one = z.object({ id });
const oneRevision = z.object({
  id,
  revision: z.coerce.number().int().min(0).max(1_000_000).meta({ example: 1 }),
});

/** The text of a word that somebody sends, and when it starts or ends. */
export const wordText = text(200, 'Every word needs text.').meta({ example: 'Hello' });
export const wordSeconds = z
  .number()
  .min(0)
  .max(1_000_000)
  .meta({ description: 'In seconds.', example: 0.48 });

/**
 * Returns the schema of a transcript's words, which are in time order.
 * @param word the schema of one
 * @param timesOf returns when one starts and ends, in seconds
 */
export function wordList<Word extends z.ZodType>(
  word: Word,
  timesOf: (word: z.output<Word>) => [start: number, end: number],
) {
  return z
    .array(
      word.refine((one) => {
        const [start, end] = timesOf(one);
        return start <= end;
      }, 'A word ends before it starts.'),
    )
    .max(100_000, 'Send at most 100,000 words.')
    .refine((words) => {
      const starts = words.map((one) => timesOf(one)[0]);
      return starts.every((start, index) => start >= (starts[index - 1] ?? 0));
    }, 'The words aren’t in time order.');
}

const spoken = wordList(
  z.object({ word: wordText, startTime: wordSeconds, endTime: wordSeconds.meta({ example: 0.92 }) }),
  ({ startTime, endTime }) => [startTime, endTime],
);
/** A word as it appears in requests. Times are in seconds. */
export type WordInput = z.output<typeof spoken>[number];

export const saveTranscription = operation({
  method: 'POST',
  path: '/entry/:id/transcription',
  summary: 'Save a corrected transcript',
  description:
    'Saves the words as a new revision; earlier revisions stay available. In an account whose text has reached its limit, the oldest ones are deleted, but for revision 0 and the newest 20. If `revision` names the revision that was edited and there’s a newer one, answers 409. With `draft`, the words are what the browser heard during the recording: they’re the transcript until the server’s is ready, and they’re ignored if there is one already.',
  access: 'verified',
  params: one,
  body: z.object({
    transcription: z.object({ words: spoken }),
    revision: z.int().min(0).max(1_000_000).nullable().optional().meta({
      description: 'The revision that was corrected; null if there was none.',
      example: 0,
    }),
    draft: z.boolean().optional().meta({
      description: 'Whether the words were heard in the browser. Accepted as soon as the entry exists.',
      example: false,
    }),
    logProbability: z.number().min(-1000).max(0).optional().meta({
      description:
        'For a draft: the mean natural log-probability of its tokens. The server’s words replace it if theirs is higher.',
      example: -0.12,
    }),
  }),
  // A two-hour transcript is about 2 MB.
  bodyLimit: 5_000_000,
  oneAtATime: true,
  response: transcriptionAnswer,
  errors: ['validation_failed', 'not_found', 'conflict', 'quota_reached'],
});

export const listRevisions = operation({
  method: 'GET',
  path: '/entry/:id/transcription/revisions',
  summary: 'List transcript revisions',
  description:
    'Returns them newest first. Revision 0 is what the engine heard. Numbers that are missing were deleted to free up space.',
  access: 'verified',
  params: one,
  response: z.array(revision),
  errors: ['not_found'],
});

export const readRevision = operation({
  method: 'GET',
  path: '/entry/:id/transcription/revisions/:revision',
  summary: 'Get a transcript revision',
  description: 'Returns the words of one revision.',
  access: 'verified',
  params: oneRevision,
  response: revision.extend({ words: z.array(word) }),
  errors: ['not_found'],
});

export const restoreRevision = operation({
  method: 'POST',
  path: '/entry/:id/transcription/revisions/:revision/restore',
  summary: 'Restore a transcript revision',
  description: 'Saves the words of an earlier revision as a new one.',
  access: 'verified',
  params: oneRevision,
  oneAtATime: true,
  response: transcriptionAnswer,
  errors: ['not_found'],
});

export const retryTranscription = operation({
  method: 'POST',
  path: '/entry/:id/transcription/retry',
  summary: 'Retry a transcription',
  description: 'Transcribes the video again if that failed or found no speech.',
  access: 'verified',
  params: one,
  response: transcriptionAnswer,
  status: 202,
  errors: ['not_found', 'conflict'],
});

export const listVocabulary = operation({
  method: 'GET',
  path: '/vocabulary',
  summary: 'List learned words',
  description:
    'Returns the names and terms that someone has corrected transcripts to, which speech recognition prefers: names first, then the latest; at most 200.',
  access: 'verified',
  response: z.object({ words: z.array(z.string().meta({ example: 'Siobhan' })) }).meta({ id: 'Vocabulary' }),
  errors: [],
});
