import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/notes/contract';
import { deleteNote, editNote } from '@/lib/journal/notes/service';

export const POST = endpoint(contract.editNote, ({ user, params, body }) =>
  editNote(user.id, params.id, params.noteId, body),
);

export const DELETE = endpoint(contract.deleteNote, ({ user, params }) =>
  deleteNote(user.id, params.id, params.noteId),
);
