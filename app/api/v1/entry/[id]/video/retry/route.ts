import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/journal/entries/media-contract';
import { retryVideo } from '@/lib/journal/entries/retry-video';

export const POST = endpoint(contract.retryVideo, ({ user, params }) => retryVideo(user.id, params.id));
