import { endpoint } from '@/lib/api/endpoint';
import { listRevisions as contract } from '@/lib/transcripts/contract';
import { listRevisions } from '@/lib/transcripts/revisions';

export const GET = endpoint(contract, ({ user, params }) => listRevisions(user.id, params.id));
