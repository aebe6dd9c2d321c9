import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { retryTranscription } from '@/lib/journal/transcripts/service';

export const POST = endpoint(contract.retryTranscription, async ({ user, params }) => ({
  transcription: await retryTranscription(user.id, params.id),
}));
