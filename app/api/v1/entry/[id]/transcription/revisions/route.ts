import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { listRevisions } from '@/lib/journal/transcripts/revisions';

export const GET = endpoint(contract.listRevisions, ({ user, params }) => listRevisions(user.id, params.id));
