import { endpoint } from '@/lib/api/endpoint';
import { deleteNote as deleteContract, editNote as editContract } from '@/lib/journal/notes/contract';
import { deleteNote, editNote } from '@/lib/journal/notes/service';

export const POST = endpoint(editContract, ({ user, params, body }) =>
  editNote(user.id, params.id, params.noteId, body),
);

export const DELETE = endpoint(deleteContract, async ({ user, params }) => {
  await deleteNote(user.id, params.id, params.noteId);
  return {};
});
