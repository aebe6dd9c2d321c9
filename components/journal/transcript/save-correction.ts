import { setAccountValue } from '@/components/ui/browser-storage';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { Transcription, Word } from '@/lib/journal/transcripts/contract';
import { mergeCorrections } from '@/lib/journal/transcripts/shared/merge-corrections';
import { isSameWords, mergedRevisionKey, sentWords } from './transcript-draft';

/** How often words are merged in one go, if others save meanwhile. */
const MAX_MERGES = 3;

/** Corrected words, and what was corrected. */
export interface Correction {
  entryId: string;
  /** The revision that was corrected; null if there was none. */
  revision: number | null;
  /** Its words. */
  base: readonly Word[];
  words: readonly Word[];
}

/** Whether to throw once the session is over, instead of going to /login. */
type CallOptions = { onExpired?: 'throw' };

/** Returns whether an error is the server's answer with this status. */
export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof ApiError && error.status === status;

/** Returns a revision's words; null if there's none. */
export async function readWords(
  entryId: string,
  revision: number,
  options: CallOptions = {},
): Promise<readonly Word[] | null> {
  try {
    return (
      await call('GET /entry/:id/transcription/revisions/:revision', {
        params: { id: entryId, revision },
        ...options,
      })
    ).words;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/**
 * Saves corrected words. Others that were saved meanwhile are merged with them. Where both changed the same words, these
 * stand, since they come later, and the entry says so on this device. The others stay in the transcript's history.
 * @param owner the account's id
 * @returns the transcript, and whether it includes what others changed
 * @throws ApiError
 */
export async function saveCorrection(
  owner: string,
  { entryId, base, ...mine }: Correction,
  options: CallOptions = {},
): Promise<{ transcription: Transcription; isMerged: boolean }> {
  const params = { id: entryId };
  let { words, revision } = mine;
  let hasConflict = false;
  for (let merges = 0; ; merges++) {
    try {
      const body = { transcription: { words: sentWords(words) }, revision };
      const { transcription } = await call('POST /entry/:id/transcription', { params, body, ...options });
      if (hasConflict) setAccountValue(owner, mergedRevisionKey(entryId), `${transcription.revision}`);
      return { transcription, isMerged: merges > 0 };
    } catch (error) {
      if (!isStatus(error, 409) || merges === MAX_MERGES) throw error;
    }
    const { transcription: theirs } = await call('GET /entry/:id', { params, ...options });
    // An earlier attempt may have been saved, of which only the answer got lost, and something newer since.
    const next = await readWords(entryId, (mine.revision ?? 0) + 1, options);
    if (next && isSameWords(next, mine.words)) return { transcription: theirs, isMerged: true };
    ({ revision } = theirs);
    ({ words, hasConflict } = mergeCorrections(base, mine.words, theirs.words));
  }
}
