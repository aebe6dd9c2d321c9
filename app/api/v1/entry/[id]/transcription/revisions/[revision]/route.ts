import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/transcripts/contract';
import { readRevision } from '@/lib/journal/transcripts/revisions';

export const GET = endpoint(contract.readRevision, ({ user, params }) =>
  readRevision(user.id, params.id, params.revision),
);
