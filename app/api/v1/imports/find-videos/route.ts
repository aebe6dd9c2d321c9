import { endpoint } from '@/lib/api/endpoint';
import { findVideos as findContract } from '@/lib/portability/imports/clips/contract';
import { findVideos } from '@/lib/portability/imports/clips/find-videos';

export const POST = endpoint(findContract, ({ user, body }) => findVideos(user.id, body));
