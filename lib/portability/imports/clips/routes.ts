import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const importClip: Route<typeof contract.importClip> = { method: 'POST', path: '/imports/:id/clips' };

export const listClips: Route<typeof contract.listClips> = { method: 'GET', path: '/imports/:id/clips' };

export const findVideos: Route<typeof contract.findVideos> = {
  method: 'POST',
  path: '/imports/find-videos',
};
