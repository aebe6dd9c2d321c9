import type { Instance } from './instance';
import type { MiddlewareResult, RoutedRequest } from './routing';

const OVERRIDDEN = 'x-middleware-override-headers';
const REQUEST_HEADER = 'x-middleware-request-';

/** Applies what middleware says about the request's own headers: the listed ones are all that's left. */
function overrideHeaders(request: RoutedRequest, answer: Headers): void {
  const listed = answer.get(OVERRIDDEN);
  if (listed === null) return;
  const names = listed.split(',').map((name) => name.trim());
  for (const name of [...request.headers.keys()]) {
    if (!names.includes(name)) request.headers.delete(name);
  }
  for (const name of names) {
    const value = answer.get(REQUEST_HEADER + name);
    if (value === null) request.headers.delete(name);
    else request.headers.set(name, value);
  }
}

/** Asks middleware about a request, and changes the request's headers as it says. */
export async function invokeMiddleware(
  instance: Instance,
  request: RoutedRequest,
  url: string,
): Promise<MiddlewareResult> {
  const { method, headers } = request;
  const incoming = await instance.invoke({
    method: ['GET', 'HEAD'].includes(method) ? method : 'GET',
    url,
    headers: Object.fromEntries(headers),
    body: Buffer.alloc(0),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const answer = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) answer.append(name, one);
  }
  const isPassed = answer.has('x-middleware-next');
  if (isPassed) overrideHeaders(request, answer);
  for (const name of [...answer.keys()]) {
    if (
      name.startsWith('x-middleware-') ||
      ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'].includes(name)
    ) {
      answer.delete(name);
    }
  }
  const status = incoming.statusCode ?? 500;
  const body = [204, 304].includes(status) ? null : Buffer.concat(chunks);
  return { response: isPassed ? null : new Response(body, { status }), headers: answer };
}
