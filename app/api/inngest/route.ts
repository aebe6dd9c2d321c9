import { jobHandlers } from '@/inngest/serve';
import { readBytes } from '@/lib/api/body';
import { JOBS_LIMIT } from '@/lib/api/body-limits';
import { rawRoute } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';
import { acceptsUnsignedJobs, env } from '@/lib/foundation/env';
import { hasPlausibleSignature, isSigned, SIGNATURE_HEADER } from '@/lib/foundation/job-signature';

const SERVES_NONE = 'This server doesn’t run jobs. With JOBS=worker, workers do.';

let handlers: ReturnType<typeof jobHandlers> | undefined;

/** Reads a call of the job service, parsing nothing before its signature has been checked. */
async function readVerifiedRequest(request: Request): Promise<Request> {
  const unsigned = acceptsUnsignedJobs(env());
  const signature = request.headers.get(SIGNATURE_HEADER);
  if (!unsigned && !hasPlausibleSignature(signature)) throw new AppError('unauthenticated');
  const body = await readBytes(request, JOBS_LIMIT);
  const { INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const keys = [INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK].filter((key) => key !== undefined);
  if (!unsigned && !isSigned(body, signature, keys)) throw new AppError('unauthenticated');
  const { method, headers, url } = request;
  return new Request(url, { method, headers, ...(method === 'GET' ? {} : { body: new Uint8Array(body) }) });
}

const createHandler = (method: 'GET' | 'POST' | 'PUT') =>
  rawRoute(async (request) => {
    if (env().JOBS === 'worker') throw new AppError('not_found', { message: SERVES_NONE });
    const call = await readVerifiedRequest(request);
    // Made on the first request, so that a build needs no keys.
    handlers ??= jobHandlers();
    return handlers[method](call as never, undefined as never);
  });

export const GET = createHandler('GET');
export const POST = createHandler('POST');
export const PUT = createHandler('PUT');
