import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { restoreRevision } from '@/lib/journal/transcripts/revisions';

export const POST = endpoint(contract.restoreRevision, async ({ user, params }) => ({
  transcription: await restoreRevision(user.id, params.id, params.revision),
}));
