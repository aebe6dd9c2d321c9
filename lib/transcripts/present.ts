import { sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import { entries, type StoredWord } from '@/db/schema/entries';
import type { Transcription, Word } from './contract';

/** The latest revision of a transcript. */
interface CurrentTranscript {
  revision: number;
  words: StoredWord[];
  engine: string | null;
}

const currentTranscript = sql<CurrentTranscript | null>`(
  select json_build_object('revision', transcripts.revision, 'words', transcripts.words,
    'engine', transcripts.engine)
  from transcripts where transcripts.entry_id = entries.id
  order by transcripts.revision desc limit 1)`.as('transcript');

/** The columns of an entry that {@link presentTranscription} needs. */
export const transcriptionColumns = {
  transcriptStatus: entries.transcriptStatus,
  transcriptError: entries.transcriptError,
  language: entries.language,
  transcript: currentTranscript,
};

type TranscriptionRow = SelectResultFields<typeof transcriptionColumns>;

/** The small local engine gets about every third word wrong, so its transcripts are marked as drafts. */
const DRAFT_ENGINE = 'pocketsphinx';

/** Returns words as the API returns them. */
export const presentWords = (words: readonly StoredWord[]): Word[] =>
  words.map(([word, start_time, end_time, confidence]) => ({
    word,
    start_time,
    end_time,
    ...(confidence !== undefined && { confidence }),
  }));

/** Returns an entry's current transcript and its status as the API returns them. */
export function presentTranscription(row: TranscriptionRow): Transcription {
  return {
    words: presentWords(row.transcript?.words ?? []),
    status: row.transcriptStatus,
    language: row.language,
    error: row.transcriptError,
    revision: row.transcript?.revision ?? null,
    draft: row.transcript?.engine === DRAFT_ENGINE,
  };
}
