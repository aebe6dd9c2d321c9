import { sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { entries } from '@/db/schema/entries';
import type { StoredWord } from '@/db/schema/transcripts';
import type { Transcription } from './contract';
import { presentWords } from './shared/word-list';

/** The latest revision of a transcript. */
interface CurrentTranscript {
  revision: number;
  words: StoredWord[];
  draft: boolean;
}

const currentTranscript = sql<CurrentTranscript | null>`(
  select json_build_object('revision', transcripts.revision, 'words', transcripts.words,
    'draft', transcripts.draft)
  from transcripts where transcripts.entry_id = entries.id
  order by transcripts.revision desc limit 1)`.as('transcript');

/** The columns of an entry that {@link presentTranscription} needs. */
export const transcriptionColumns = {
  transcriptStatus: entries.transcriptStatus,
  transcriptError: entries.transcriptError,
  transcriptProgress: entries.transcriptProgress,
  language: entries.language,
  transcript: currentTranscript,
};

type TranscriptionRow = SelectResultFields<typeof transcriptionColumns>;

/**
 * Returns an entry's current transcript and its status as the API returns them. The row's status is that of the
 * server's job; a draft can be read whatever becomes of it.
 */
export function presentTranscription(row: TranscriptionRow): Transcription {
  const { transcript, transcriptStatus, transcriptProgress } = row;
  const draft = transcript?.draft ?? false;
  return {
    words: presentWords(transcript?.words ?? []),
    status: draft ? 'completed' : transcriptStatus,
    language: row.language,
    error: draft ? null : row.transcriptError,
    revision: transcript?.revision ?? null,
    draft,
    ...(transcriptStatus === 'processing' && { progress: transcriptProgress ?? 0 }),
  };
}
