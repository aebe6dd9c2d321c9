import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { type Instance, startInstance } from './instance';
import { invokeMiddleware } from './middleware';
import { type BuildOutput, type BuiltFunction, readOutput, type StaticFile } from './output';
import { type RoutedRequest, type RoutedTo, routeRequest } from './routing';

// Stands in for the platform: serves a project's `.vercel/output` on PORT, its functions in sandboxes that are frozen
// between requests. `up` starts it in place of Next's server.

/** The largest body that a function gets, in bytes. */
const BODY_LIMIT = 4.5 * 1024 ** 2;

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.mjs': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Tells a function which of its pages it's called for. */
const MATCHED_PATH = 'x-matched-path';

/** Headers between two machines, which a proxy doesn't pass on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length'];

const [project = '', bwrap = ''] = process.argv.slice(2);
const { PORT = '3000' } = process.env;
const output: BuildOutput = readOutput(project);
const folder = mkdtempSync(join(project, '..', 'i-'));
const instances = new Map<string, Promise<Instance>>();

const platformEnv: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: '/var/lang/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  NODE_ENV: 'production',
  VERCEL: '1',
  VERCEL_ENV: 'production',
  VERCEL_REGION: 'iad1',
  VERCEL_DEPLOYMENT_ID: `dpl_${randomUUID()}`,
  AWS_LAMBDA_FUNCTION_NAME: 'function',
};

/** Returns a function's instance, which its first request starts. A function that has ended starts again. */
function instanceOf(fn: BuiltFunction): Promise<Instance> {
  const known = instances.get(fn.name);
  if (known) return known;
  const dir = join(folder, String(instances.size));
  const started = startInstance(fn, {
    bwrap,
    dir,
    env: platformEnv,
    onOutput: (text) => process.stdout.write(text),
  });
  instances.set(fn.name, started);
  return started;
}

/** Reads a body. @returns null if it's larger than the platform takes */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  }
  return size > BODY_LIMIT ? null : Buffer.concat(chunks);
}

/** Returns the headers that a function sees: the client's, without those that only the platform may set. */
function platformHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || HOP_BY_HOP.includes(name) || /^x-(vercel|middleware|now|matched)-/.test(name))
      continue;
    headers.set(name, String(value));
  }
  // The tests' clients come from addresses that a proxy of theirs appends, in place of the connection's.
  const hops = String(request.headers['x-forwarded-for'] ?? request.socket.remoteAddress ?? '').split(',');
  const address = hops.at(-1)?.trim() ?? '';
  // `up` asks for the health of this machine, and the platform knows its domain only.
  const host = (request.headers.host ?? '').replace(/^127\.0\.0\.1:/, 'localhost:');
  headers.set('host', host);
  for (const name of ['x-forwarded-for', 'x-real-ip', 'x-vercel-forwarded-for']) headers.set(name, address);
  headers.set('x-forwarded-host', host);
  headers.set('x-forwarded-proto', 'http');
  headers.set('x-vercel-id', `iad1::${randomUUID()}`);
  return headers;
}

/** Returns the part of a file that a request asks for, in bytes from the first to the last; null for all of it. */
function rangeOf(request: RoutedRequest, size: number): [number, number] | null {
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? [];
  const from = Number(first);
  return first === '' || from >= size ? null : [from, Math.min(Number(last || size), size - 1)];
}

function sendFile(
  response: ServerResponse,
  file: StaticFile,
  routed: RoutedTo,
  request: RoutedRequest,
): void {
  const whole = readFileSync(file.path);
  const range = rangeOf(request, whole.length);
  const body = range ? whole.subarray(range[0], range[1] + 1) : whole;
  const type = file.contentType ?? CONTENT_TYPES[extname(file.path)] ?? 'application/octet-stream';
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'public, max-age=0, must-revalidate');
  setHeaders(response, routed.headers);
  for (const [name, value] of Object.entries(file.headers ?? {})) response.setHeader(name, value);
  setHeaders(response, routed.important);
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-length', body.length);
  if (range) response.setHeader('content-range', `bytes ${range[0]}-${range[1]}/${whole.length}`);
  response.writeHead(range ? 206 : (routed.status ?? file.status ?? 200));
  response.end(request.method === 'HEAD' ? undefined : body);
}

function setHeaders(response: ServerResponse, headers: Headers): void {
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') response.setHeader(name, value);
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) {
    response.setHeader('set-cookie', [
      ...[response.getHeader('set-cookie') ?? []].flat().map(String),
      ...cookies,
    ]);
  }
}

async function callFunction(
  fn: BuiltFunction,
  call: { request: RoutedRequest; routed: RoutedTo; body: Buffer; response: ServerResponse },
): Promise<void> {
  const { request, routed, body, response } = call;
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  headers[MATCHED_PATH] = routed.important.get(MATCHED_PATH) ?? routed.path ?? '';
  // For the function. Tests know every header that the app sends.
  routed.important.delete(MATCHED_PATH);
  if (body.length > 0) headers['content-length'] = String(body.length);
  const query = routed.query.toString();
  const instance = await instanceOf(fn);
  const { method } = request;
  const url = query ? `${request.path}?${query}` : request.path;
  const answer = await instance.invoke({ method, url, headers, body });
  setHeaders(response, routed.headers);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.includes(name)) response.setHeader(name, value);
  }
  if (answer.headers['content-length'])
    response.setHeader('content-length', answer.headers['content-length']);
  setHeaders(response, routed.important);
  response.writeHead(routed.status ?? answer.statusCode ?? 500);
  answer.pipe(response);
  // Whoever has gone needs no answer.
  response.once('close', () => answer.destroy());
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = incoming;
  const body = await readBody(incoming);
  if (!body) {
    response.writeHead(413, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Request Entity Too Large\n\nFUNCTION_PAYLOAD_TOO_LARGE\n');
    return;
  }
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  const request = { method, path, query: new URLSearchParams(query), headers: platformHeaders(incoming) };
  const middleware = output.functions.get('/_middleware');
  const runMiddleware = async () => {
    if (!middleware) return { response: null, headers: new Headers() };
    return invokeMiddleware(await instanceOf(middleware), request, url);
  };
  const routed = await routeRequest({ output, request, runMiddleware });
  if (routed.response) {
    setHeaders(response, routed.important);
    response.writeHead(routed.response.status);
    response.end(Buffer.from(await routed.response.arrayBuffer()));
    return;
  }
  const file = routed.path === null ? undefined : output.files.get(routed.path);
  const fn = routed.path === null ? undefined : output.functions.get(routed.path);
  if (file && ['GET', 'HEAD'].includes(method)) sendFile(response, file, routed, request);
  else if (fn) await callFunction(fn, { request, routed, body, response });
  else response.writeHead(routed.status ?? 404).end();
}

const server = createServer((incoming, response) => {
  answer(incoming, response).catch((error: unknown) => {
    console.error(String(error));
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
    response.end('A server error has occurred\n\nFUNCTION_INVOCATION_FAILED\n');
  });
});
server.listen(Number(PORT), '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    for (const [name, started] of instances) {
      const instance = await started.catch(() => null);
      if (!instance) continue;
      console.log(`vercel: ${name} has used ${Math.round(instance.peakMemory() / 1e6)} MB`);
      instance.stop();
    }
    process.exit();
  });
}
