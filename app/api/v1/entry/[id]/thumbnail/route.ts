import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import * as contract from '@/lib/journal/entries/media-contract';
import { mediaAddress } from '@/lib/journal/entries/service';

export const GET = endpoint(contract.getThumbnail, async ({ user, params }) =>
  redirectToMedia(await mediaAddress(user.id, params.id, 'thumbnail')),
);
