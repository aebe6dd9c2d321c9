import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { saveDraft } from '@/lib/journal/transcripts/draft';
import { saveTranscription } from '@/lib/journal/transcripts/revisions';

export const POST = endpoint(contract.saveTranscription, async ({ user, params, body }) => {
  const { words } = body.transcription;
  return {
    transcription: body.draft
      ? await saveDraft(user.id, params.id, words, body.logProbability)
      : await saveTranscription(user.id, params.id, words, body.revision),
  };
});
