import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/portability/imports/clips/contract';
import { findVideos } from '@/lib/portability/imports/clips/service';

export const POST = endpoint(contract.findVideos, ({ user, body }) => findVideos(user.id, body));
