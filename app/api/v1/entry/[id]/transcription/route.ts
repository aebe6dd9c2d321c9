import { endpoint } from '@/lib/api/endpoint';
import { saveTranscription as contract } from '@/lib/transcripts/contract';
import { saveTranscription } from '@/lib/transcripts/revisions';

export const POST = endpoint(contract, async ({ user, params, body }) => ({
  transcription: await saveTranscription(user.id, params.id, body.transcription.words, body.revision),
}));
