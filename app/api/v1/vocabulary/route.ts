import { endpoint } from '@/lib/api/endpoint';
import { listVocabulary as contract } from '@/lib/transcripts/contract';
import { vocabularyOf } from '@/lib/transcripts/vocabulary';

export const GET = endpoint(contract, async ({ user }) => ({ words: await vocabularyOf(user.id) }));
