import { SHARE_MISSED } from '@/lib/foundation/http/share-target';
import { transportSecurity } from '@/lib/foundation/http/transport-security';

const redirectTo = (location: string, status: 303 | 307): Response =>
  new Response(null, { status, headers: { location, ...transportSecurity() } });

/** Answers a share that no service worker took, where `guardServer` doesn't run. It doesn't read the video. */
export const POST = (): Response => redirectTo(SHARE_MISSED, 303);

/** Leads somebody who opens the address to the studio. */
export const GET = (): Response => redirectTo('/upload', 307);
