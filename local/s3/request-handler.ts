import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RefusedRequest, type Reply } from '../loopback-server';
import type { Bucket } from './bucket';
import { type CorsRule, corsHeaders, preflight } from './cors';
import { notImplemented, S3Error, toS3Error } from './errors';
import { findOperation } from './operations';
import { postObject } from './post-object';
import type { S3Response } from './request-context';
import { authenticate, type Credentials } from './signature';
import { parseTarget, type RequestTarget } from './target';
import { element, renderDocument } from './xml';

export type HandlerContext = {
  bucket: Bucket;
  bucketName: string;
  credentials: Credentials;
  allowedOrigins: () => string[] | '*';
  etagOf: (md5: string) => string;
  hasPostObject: boolean;
  instance: string;
  log: (line: Record<string, unknown>) => void;
};

/** How long a client may pause in the middle of a body, in milliseconds. */
const IDLE_MS = 60_000;

/** Handles one request from its head to the last byte of its response. */
export async function handleRequest(
  context: HandlerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<undefined> {
  const started = performance.now();
  const line: Record<string, unknown> = { method: request.method, path: request.url?.split('?')[0] };
  response.setHeader('x-amz-id-2', context.instance);
  const rule = { origins: context.allowedOrigins(), hasPostObject: context.hasPostObject };
  for (const [name, value] of Object.entries(corsHeaders(request, rule))) response.setHeader(name, value);

  if (request.method === 'PUT' || request.method === 'POST')
    request.setTimeout(IDLE_MS, () => request.destroy());

  let answer: S3Response;
  try {
    answer = await respond(context, request, rule, line);
  } catch (thrown) {
    const error = toS3Error(thrown);
    line['code'] = error.code;
    if (error.code === 'InternalError' && !request.socket.destroyed)
      line['error'] = String((thrown as Error)?.stack ?? thrown);
    answer = { status: error.status, xml: errorDocument(error.code, error.message) };
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
  // Reads and drops the rest of a refused body, because a browser reads the response only after it has sent everything.
  request.resume();
  context.log({ event: 'storage.request', ...line, ms: Math.round(performance.now() - started) });
  return undefined;
}

async function respond(
  context: HandlerContext,
  request: IncomingMessage,
  rule: CorsRule,
  line: Record<string, unknown>,
): Promise<S3Response> {
  if (request.method === 'OPTIONS') return preflight(request, rule);
  const { bucket, bucketName, credentials, etagOf } = context;
  const target = parseTarget(request.method ?? '', request.url ?? '');
  const requireBucket = () => {
    if (target.bucket === bucketName) return;
    throw new S3Error('NoSuchBucket');
  };
  if (isFormUpload(target, request)) {
    line['operation'] = 'PostObject';
    if (!context.hasPostObject) throw notImplemented('PostObject');
    requireBucket();
    return postObject({ request, bucket, bucketName, credentials, etagOf });
  }
  const sha256 = authenticate(target, request.headersDistinct, credentials, new Date());
  const query = new Map(target.query);
  const headers = new Map(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(',')]),
  );
  const operation = findOperation(target, query, headers);
  line['operation'] = operation.name;
  requireBucket();
  const body = () => request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  return operation.run({ target, bucket, query, headers, etagOf, sha256, body });
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

const errorDocument = (code: string, message: string) =>
  element('Error', [element('Code', code), element('Message', message)]);

/** Returns the response to a request that failed before it reached the handler. */
export function errorReply(error: unknown): Reply {
  const { status, code } = error instanceof RefusedRequest ? new S3Error('AccessDenied') : toS3Error(error);
  const document = errorDocument(code, error instanceof Error ? error.message : '');
  return { status, headers: { 'content-type': 'application/xml' }, body: renderDocument(document) };
}

async function send(answer: S3Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.socket.destroyed) throw new Error('The client is gone');
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
