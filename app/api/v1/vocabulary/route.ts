import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { vocabularyOf } from '@/lib/journal/transcripts/vocabulary';

export const GET = endpoint(contract.listVocabulary, async ({ user }) => ({
  words: await vocabularyOf(user.id),
}));
