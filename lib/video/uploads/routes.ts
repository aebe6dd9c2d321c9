import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const presignedUrl: Route<typeof contract.presignedUrl> = {
  method: 'GET',
  path: '/presigned_url',
};

export const openUpload: Route<typeof contract.openUpload> = { method: 'POST', path: '/uploads' };

export const signParts: Route<typeof contract.signParts> = {
  method: 'POST',
  path: '/entry/:id/upload/parts',
};

export const getUpload: Route<typeof contract.getUpload> = { method: 'GET', path: '/entry/:id/upload' };

export const completeUpload: Route<typeof contract.completeUpload> = {
  method: 'GET',
  path: '/entry/:id/upload/complete',
};

export const abortUpload: Route<typeof contract.abortUpload> = {
  method: 'DELETE',
  path: '/entry/:id/upload',
};
