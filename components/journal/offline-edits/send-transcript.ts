import { sentWords } from '@/components/journal/transcript/transcript-draft';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { Entry } from '@/lib/journal/entries/contract';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
import { mergeCorrections } from '@/lib/journal/transcripts/shared/merge-corrections';
import { type CorrectedTranscript, type EditProblem, isSameWords } from './edit';

/** How often words are merged in one go, if others save meanwhile. */
const MAX_MERGES = 3;

type Result =
  | {
      kind: 'saved';
      transcription: Transcription /** Whether the words include others' changes. */;
      isMerged: boolean;
    }
  | EditProblem;

/** Saves words over a revision. @returns null if there's a newer one */
async function save(
  entryId: string,
  words: readonly Word[],
  revision: number | null,
): Promise<Transcription | null> {
  const body = { transcription: { words: sentWords(words) }, revision };
  try {
    const answer = await call('POST /entry/:id/transcription', {
      params: { id: entryId },
      body,
      onExpired: 'throw',
    });
    return answer.transcription;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null;
    throw error;
  }
}

/** Returns whether an earlier attempt was saved, of which only the answer got lost, and something newer was saved since. */
async function isAlreadySaved({ entryId, revision, words }: CorrectedTranscript): Promise<boolean> {
  const params = { id: entryId, revision: (revision ?? 0) + 1 };
  try {
    return isSameWords(
      (await call('GET /entry/:id/transcription/revisions/:revision', { params, onExpired: 'throw' })).words,
      words,
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/**
 * Saves a corrected transcript. If somebody else saved one first, merges both.
 * @param fetchEntry returns the entry as the server has it, or null if it's gone
 * @throws ApiError if it has to wait
 */
export async function sendTranscript(
  edit: CorrectedTranscript,
  fetchEntry: () => Promise<Entry | null>,
): Promise<Result> {
  let { words, revision } = edit;
  for (let merges = 0; merges <= MAX_MERGES; merges++) {
    const transcription = await save(edit.entryId, words, revision);
    if (transcription) return { kind: 'saved', transcription, isMerged: merges > 0 };
    const entry = await fetchEntry();
    if (!entry) return { kind: 'entry-gone' };
    const theirs = entry.transcription;
    if (await isAlreadySaved(edit)) return { kind: 'saved', transcription: theirs, isMerged: true };
    const merged = mergeCorrections(edit.base, edit.words, theirs.words);
    if (merged.conflicts.length > 0)
      return { kind: 'transcript-changed', revision: theirs.revision, words: theirs.words };
    ({ words, revision } = { words: merged.words, revision: theirs.revision });
  }
  throw new ApiError(409, 'conflict', 'The transcript keeps changing.');
}
