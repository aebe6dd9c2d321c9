import { endpoint } from '@/lib/api/endpoint';
import { redirectToMedia } from '@/lib/foundation/http/media-redirect';
import { downloadVideo } from '@/lib/video/downloads/contract';
import { downloadAddress } from '@/lib/video/downloads/service';

export const GET = endpoint(downloadVideo, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'video')),
);
