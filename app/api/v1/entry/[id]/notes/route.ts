import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/notes/contract';
import { listNotes, postNote } from '@/lib/journal/notes/service';

export const GET = endpoint(contract.listNotes, ({ user, params }) => listNotes(user.id, params.id));

export const POST = endpoint(contract.postNote, ({ user, params, body }) =>
  postNote(user.id, params.id, body),
);
