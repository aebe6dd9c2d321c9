import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/clips/contract';
import * as clips from '@/lib/portability/imports/clips/service';

export const GET = endpoint(contract.listClips, ({ user, params }) => clips.listClips(user.id, params.id));

export const POST = endpoint(contract.importClip, ({ user, params, body }) =>
  clips.importClip(user.id, params.id, body),
);
