import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import { getOriginal } from '@/lib/video/downloads/contract';
import { downloadAddress } from '@/lib/video/downloads/service';

export const GET = endpoint(getOriginal, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'original')),
);
