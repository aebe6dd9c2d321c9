import type { entries } from '@/db/schema/entries';
import type { transcripts } from '@/db/schema/transcripts';
import type { ArchivedTranscript } from './contract';

/** What an archived transcript needs of each revision's row. */
export type RevisionRow = Omit<typeof transcripts.$inferSelect, 'entryId' | 'sharedWords'>;

function presentRevision(row: RevisionRow): ArchivedTranscript['revisions'][number] {
  return {
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    engine: row.engine,
    draft: row.draft,
    estimated: row.estimated,
    logProbability: row.logProbability,
    words: row.words.map(([word, start, end, confidence]) => ({
      word,
      start,
      end,
      ...(confidence !== undefined && { confidence }),
    })),
  };
}

/**
 * Yields an {@link ArchivedTranscript} as JSON, a revision at a time: a long one has megabytes of words, and there may
 * be many.
 * @param revisions oldest first
 */
export async function* archivedTranscriptJson(
  { transcriptStatus, language }: Pick<typeof entries.$inferSelect, 'transcriptStatus' | 'language'>,
  revisions: Iterable<RevisionRow> | AsyncIterable<RevisionRow>,
): AsyncGenerator<string> {
  const head: Omit<ArchivedTranscript, 'revisions'> = {
    format: 'daylight-transcript',
    version: 1,
    status: transcriptStatus,
    language,
  };
  let separator = `${JSON.stringify(head).slice(0, -1)},"revisions":[`;
  for await (const row of revisions) {
    yield separator + JSON.stringify(presentRevision(row));
    separator = ',';
  }
  yield `${separator === ',' ? '' : separator}]}\n`;
}
