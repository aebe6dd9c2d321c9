import { endpoint } from '@/lib/api/endpoint';
import { listRevisions as contract } from '@/lib/journal/transcripts/contract';
import { listRevisions } from '@/lib/journal/transcripts/revisions';

export const GET = endpoint(contract, ({ user, params }) => listRevisions(user.id, params.id));
