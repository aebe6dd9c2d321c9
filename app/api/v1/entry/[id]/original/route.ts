import { endpoint } from '@/lib/api/endpoint';
import { getOriginal } from '@/lib/video/downloads/contract';
import { downloadAddress } from '@/lib/video/downloads/service';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';

export const GET = endpoint(getOriginal, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'original')),
);
