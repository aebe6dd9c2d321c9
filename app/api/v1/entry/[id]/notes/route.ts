import { endpoint } from '@/lib/api/endpoint';
import { listNotes as listContract, postNote as postContract } from '@/lib/journal/notes/contract';
import { listNotes, postNote } from '@/lib/journal/notes/service';

export const GET = endpoint(listContract, ({ user, params }) => listNotes(user.id, params.id));

export const POST = endpoint(postContract, ({ user, params, body }) => postNote(user.id, params.id, body));
