import { endpoint } from '@/lib/api/endpoint';
import { downloadVideo } from '@/lib/downloads/contract';
import { downloadAddress } from '@/lib/downloads/service';
import { redirectToMedia } from '@/lib/http/media-redirect';

export const GET = endpoint(downloadVideo, async ({ user, params }) =>
  redirectToMedia(await downloadAddress(user.id, params.id, 'video')),
);
