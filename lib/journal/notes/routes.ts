import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const postNote: Route<typeof contract.postNote> = { method: 'POST', path: '/entry/:id/notes' };

export const editNote: Route<typeof contract.editNote> = {
  method: 'POST',
  path: '/entry/:id/notes/:noteId',
};

export const deleteNote: Route<typeof contract.deleteNote> = {
  method: 'DELETE',
  path: '/entry/:id/notes/:noteId',
};
