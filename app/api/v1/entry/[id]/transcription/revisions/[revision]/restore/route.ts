import { endpoint } from '@/lib/api/endpoint';
import { restoreRevision as contract } from '@/lib/transcripts/contract';
import { restoreRevision } from '@/lib/transcripts/revisions';

export const POST = endpoint(contract, async ({ user, params }) => ({
  transcription: await restoreRevision(user.id, params.id, params.revision),
}));
