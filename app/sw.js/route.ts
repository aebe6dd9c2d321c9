import { serviceWorkerPolicy } from '@/lib/foundation/http/csp';
import { readServiceWorker } from '@/lib/foundation/service-worker-file';

/** Answers with the service worker. Browsers ask again on every visit, so that a new one takes over at once. */
export async function GET(): Promise<Response> {
  return new Response(new Uint8Array(await readServiceWorker()), {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': serviceWorkerPolicy(),
    },
  });
}
