import { endpoint } from '@/lib/api/endpoint';
import { getVideo } from '@/lib/entries/contract';
import { mediaAddress } from '@/lib/entries/service';
import { redirectToMedia } from '@/lib/http/media-redirect';

export const GET = endpoint(getVideo, async ({ user, params }) =>
  redirectToMedia(await mediaAddress(user.id, params.id, 'video')),
);
