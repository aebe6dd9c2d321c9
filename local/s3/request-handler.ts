import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { encodeHeaderValue } from './attributes';
import type { Buckets } from './buckets';
import { corsHeaders, preflight } from './cors';
import { S3Error, toS3Error } from './errors';
import { findOperation } from './operations';
import { decodePayload } from './payload';
import { postObject } from './post-object';
import type { RequestContext, S3Response } from './request-context';
import { authenticate, type Credentials } from './signature';
import { parseTarget, type RequestTarget } from './target';
import { element, readXml, renderDocument } from './xml';

export type HandlerContext = {
  buckets: Buckets;
  credentials: Credentials;
  allowedOrigins: () => string[] | '*';
  instance: string;
  /** The server's address, known once it listens. */
  url: () => string;
  log: (line: Record<string, unknown>) => void;
};

/** A connection that sends or takes nothing for so long in the middle of a body is given up. */
const IDLE_MS = 60_000;

/** Handles one request from its head to the last byte of its answer. Never throws. */
export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
  awaitsContinue: boolean,
): Promise<void> {
  const id = randomBytes(8).toString('hex').toUpperCase();
  const started = performance.now();
  const line: Record<string, unknown> = { id, method: request.method, path: request.url?.split('?')[0] };
  response.setHeader('x-amz-request-id', id);
  response.setHeader('x-amz-id-2', context.instance);
  const cors = corsHeaders(request, context.allowedOrigins());
  for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);

  let continued = !awaitsContinue;
  const startBody = () => {
    if (!continued) response.writeContinue();
    continued = true;
  };
  if (request.method === 'PUT' || request.method === 'POST')
    request.setTimeout(IDLE_MS, () => request.destroy());

  let answer: S3Response;
  try {
    answer = await respond(context, request, { cors, startBody, line });
  } catch (thrown) {
    const error = toS3Error(thrown);
    line['code'] = error.code;
    if (error.code === 'InternalError' && !request.socket.destroyed)
      line['error'] = String((thrown as Error)?.stack ?? thrown);
    answer = errorAnswer(error, request, id);
    // The client may or may not send the body that it was never asked for.
    if (!continued) response.setHeader('connection', 'close');
  }
  request.setTimeout(0);
  try {
    await send(answer, request, response);
    line['status'] = response.statusCode;
  } catch (error) {
    response.destroy();
    line['cut'] = (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    answer.bytes?.release();
  }
  // What is left of a refused body is read and dropped: a browser reads the answer only when it has sent all.
  request.resume();
  context.log({ event: 'storage.request', ...line, ms: Math.round(performance.now() - started) });
}

async function respond(
  context: HandlerContext,
  request: IncomingMessage,
  {
    cors,
    startBody,
    line,
  }: { cors: Record<string, string>; startBody: () => void; line: Record<string, unknown> },
): Promise<S3Response> {
  if (request.method === 'OPTIONS') return preflight(request, cors);
  const target = parseTarget(request.method ?? '', request.url ?? '');
  if (isFormUpload(target, request)) {
    line['operation'] = 'PostObject';
    const bucket = context.buckets.get(target.bucket);
    startBody();
    const { credentials } = context;
    return postObject({ request, bucket, bucketName: target.bucket, credentials, url: context.url() });
  }

  const distinct = request.headersDistinct;
  const { presigned, payload } = authenticate(target, distinct, context.credentials, new Date());
  const query = new Map(target.query);
  const headers = mergeHeaders(distinct, presigned ? query : new Map());
  const body = (trailers = new Map<string, string>()) => {
    startBody();
    return decodePayload(request.iterator({ destroyOnReturn: false }), payload, trailers);
  };
  if (
    target.method === 'PUT' &&
    target.bucket !== '' &&
    target.key === undefined &&
    isBucketRequest(target)
  ) {
    line['operation'] = 'CreateBucket';
    return createBucket(context, target.bucket, headers, body());
  }
  const operation = findOperation(target, query, headers);
  line['operation'] = operation.name;
  const { region } = context.credentials;
  const bucket = context.buckets.get(target.bucket);
  const call: RequestContext = { target, bucket, region, query, headers, payload, body };
  return operation.run(call);
}

function isFormUpload(target: RequestTarget, request: IncomingMessage): boolean {
  const type = request.headers['content-type'] ?? '';
  return (
    target.method === 'POST' &&
    target.key === undefined &&
    target.query.length === 0 &&
    /^multipart\/form-data\b/i.test(type)
  );
}

function isBucketRequest(target: RequestTarget): boolean {
  return target.query.every(([name]) => name === 'x-id' || name.startsWith('X-Amz-'));
}

async function createBucket(
  { buckets, credentials }: HandlerContext,
  name: string,
  headers: ReadonlyMap<string, string>,
  body: AsyncIterable<Buffer>,
): Promise<S3Response> {
  if ((headers.get('content-length') ?? '0') !== '0') {
    const { LocationConstraint: location } = await readXml(body, 'CreateBucketConfiguration');
    if (location !== undefined && location !== credentials.region) {
      throw new S3Error('InvalidRequest', 'The specified location-constraint is not valid');
    }
  }
  await buckets.create(name);
  return { status: 200, headers: { location: `/${name}` } };
}

/** A presigned address may carry x-amz- headers in its query; there they are UTF-8, in headers bytes. */
function mergeHeaders(
  headers: NodeJS.Dict<string[]>,
  query: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const merged = new Map<string, string>();
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    if (lower.startsWith('x-amz-') && !SIGNING_PARAMETERS.has(lower))
      merged.set(lower, encodeHeaderValue(value, name));
  }
  for (const [name, values] of Object.entries(headers)) merged.set(name, (values ?? []).join(','));
  return merged;
}

const SIGNING_PARAMETERS = new Set(
  ['algorithm', 'credential', 'date', 'expires', 'signedheaders', 'signature', 'content-sha256'].map(
    (name) => `x-amz-${name}`,
  ),
);

function errorAnswer(error: S3Error, request: IncomingMessage, id: string): S3Response {
  const resource = request.url?.split('?')[0] ?? '';
  return {
    status: error.status,
    headers: error.headers,
    xml: element('Error', [
      element('Code', error.code),
      element('Message', error.message),
      ...Object.entries(error.details).map(([name, value]) => element(name, value)),
      element('Resource', resource),
      element('RequestId', id),
    ]),
  };
}

async function send(answer: S3Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.socket.destroyed) throw new Error('The client has gone');
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.statusCode = answer.status;
  const text = answer.xml && renderDocument(answer.xml);
  if (text !== undefined && request.method !== 'HEAD') {
    response.setHeader('content-type', 'application/xml');
    response.setHeader('content-length', Buffer.byteLength(text));
  }
  if (answer.bytes && request.method !== 'HEAD') {
    await pipeline(answer.bytes.chunks, response);
    return;
  }
  if (text === undefined && !response.hasHeader('content-length') && answer.status === 200) {
    response.setHeader('content-length', 0);
  }
  response.end(request.method === 'HEAD' ? undefined : text);
}
