import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/http/media-redirect';
import { getStoryboard } from '@/lib/previews/contract';
import { storyboardAddress } from '@/lib/previews/service';

export const GET = endpoint(getStoryboard, async ({ user, params }) =>
  redirectToMedia(await storyboardAddress(user.id, params.id)),
);
