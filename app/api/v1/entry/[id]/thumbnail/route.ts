import { endpoint } from '@/lib/api/endpoint';
import { getThumbnail } from '@/lib/entries/contract';
import { mediaAddress } from '@/lib/entries/service';
import { redirectToMedia } from '@/lib/http/media-redirect';

export const GET = endpoint(getThumbnail, async ({ user, params }) =>
  redirectToMedia(await mediaAddress(user.id, params.id, 'thumbnail')),
);
