import { endpoint } from '@/lib/api/endpoint';
import { getOriginal } from '@/lib/downloads/contract';
import { downloadAddress } from '@/lib/downloads/service';
import { redirectToMedia } from '@/lib/http/media-redirect';

export const GET = endpoint(getOriginal, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'original')),
);
