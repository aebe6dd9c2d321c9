import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const saveTranscription: Route<typeof contract.saveTranscription> = {
  method: 'POST',
  path: '/entry/:id/transcription',
};

export const listRevisions: Route<typeof contract.listRevisions> = {
  method: 'GET',
  path: '/entry/:id/transcription/revisions',
};

export const readRevision: Route<typeof contract.readRevision> = {
  method: 'GET',
  path: '/entry/:id/transcription/revisions/:revision',
};

export const restoreRevision: Route<typeof contract.restoreRevision> = {
  method: 'POST',
  path: '/entry/:id/transcription/revisions/:revision/restore',
};

export const retryTranscription: Route<typeof contract.retryTranscription> = {
  method: 'POST',
  path: '/entry/:id/transcription/retry',
};

export const listVocabulary: Route<typeof contract.listVocabulary> = {
  method: 'GET',
  path: '/vocabulary',
};
