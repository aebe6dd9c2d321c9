import { endpoint } from '@/lib/api/endpoint';
import { getThumbnail } from '@/lib/journal/entries/contract';
import { mediaAddress } from '@/lib/journal/entries/service';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';

export const GET = endpoint(getThumbnail, async ({ user, params }) =>
  redirectToMedia(await mediaAddress(user.id, params.id, 'thumbnail')),
);
