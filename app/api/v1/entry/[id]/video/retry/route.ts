import { endpoint } from '@/lib/api/endpoint';
import { retryVideo as contract } from '@/lib/entries/contract';
import { retryVideo } from '@/lib/entries/retry-video';

export const POST = endpoint(contract, ({ user, params }) => retryVideo(user.id, params.id));
