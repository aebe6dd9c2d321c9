import type { RequestScope } from '@/lib/log';
import { clientOf } from './client-address';

/** What belongs to a request, for the log and for what is noted of it. */
export function newScope(requestId: string, headers: Headers): RequestScope {
  return { requestId, client: clientOf(headers), outbox: false, afterwards: [] };
}
