import { endpoint } from '@/lib/api/endpoint';
import { retryVideo as contract } from '@/lib/journal/entries/contract';
import { retryVideo } from '@/lib/journal/entries/retry-video';

export const POST = endpoint(contract, ({ user, params }) => retryVideo(user.id, params.id));
