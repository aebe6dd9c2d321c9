import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import * as contract from '@/lib/video/downloads/contract';
import { downloadAddress } from '@/lib/video/downloads/service';

export const GET = endpoint(contract.getOriginal, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'original')),
);
