import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { perProcess } from '@/lib/foundation/shared/per-process';

const requestIds = perProcess('request-ids', () => ({ areAssigned: false }));

/**
 * Gives a request an id, and puts it on its answer, also on one that Next makes by itself. Middleware would do the same for
 * a millisecond of CPU a call.
 */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  requestIds.areAssigned = true;
  const id = uuidv7();
  request.headers['x-request-id'] = id;
  response.setHeader('x-request-id', id);
}

/**
 * The id of a request.
 * @returns `onAnswer` is false where no server of ours has put it on the answer yet, as on serverless hosting
 */
export function requestIdOf(headers: Headers): { id: string; onAnswer: boolean } {
  const given = requestIds.areAssigned ? headers.get('x-request-id') : null;
  return given ? { id: given, onAnswer: true } : { id: uuidv7(), onAnswer: false };
}
