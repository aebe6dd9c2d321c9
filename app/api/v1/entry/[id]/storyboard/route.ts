import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import * as contract from '@/lib/video/previews/contract';
import { storyboardAddress } from '@/lib/video/previews/service';

export const GET = endpoint(contract.getStoryboard, async ({ user, params }) =>
  redirectToMedia(await storyboardAddress(user.id, params.id)),
);
