import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { SpanStatusCode } from '@opentelemetry/api';
import { keepAwake } from '@/lib/foundation/keep-awake';
import { isFile, pathOf, routeOf } from '@/lib/foundation/request-path';
import type { Telemetry } from './active';
import { allowedAttributes } from './attributes';
import type { Tracing } from './tracing';

/** The requests of an upload belong to the trace of its entry. */
const UPLOAD = /^\/api\/v1\/entry\/([0-9a-f-]{36})\/upload(?:\/|$)/i;

/** Calls `listener` before a response's headers are written, when more can still be added. */
function beforeHeaders(response: ServerResponse, listener: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  response.writeHead = (...values: unknown[]) => {
    if (!response.headersSent) listener();
    return writeHead(...values);
  };
}

/**
 * Traces and times each request of this process's server. Call it once, after whatever else wraps the server.
 * @param flush exports the trace of each request when it has ended, before the host freezes the process; by default,
 * nothing does
 */
export function traceRequests(
  tracing: Tracing,
  record: Telemetry['record'],
  flush?: () => Promise<void>,
): void {
  /** Runs `handle` in a span for its request, which ends with the response. */
  function traceRequest(request: IncomingMessage, response: ServerResponse, handle: () => boolean): boolean {
    const { method = '' } = request;
    const started = performance.now();
    const entryId = UPLOAD.exec(pathOf(request))?.[1];
    return tracing.startRequest(method, entryId, (span, traced) => {
      beforeHeaders(response, () => {
        const timings = [['total', performance.now() - started] as const, ...traced.timings];
        const header = timings.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ');
        if (traced.isShown) response.setHeader('server-timing', header);
        if (flush) keepAwake(once(response, 'close').then(flush, flush));
      });
      response.once('close', () => {
        const route = routeOf(request) ?? 'none';
        const attributes = { 'http.route': route, 'http.response.status_code': response.statusCode };
        span.updateName(`${method} ${route}`);
        span.setAttributes(allowedAttributes(attributes));
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const seconds = (performance.now() - started) / 1000;
        record('http.server.request.duration', seconds, { 'http.request.method': method, ...attributes });
      });
      return handle();
    });
  }

  const emit = Server.prototype.emit;
  // Node has no other place around everything that listens for requests.
  Server.prototype.emit = function emitTraced(event: string | symbol, ...args: unknown[]): boolean {
    const handle = () => emit.apply(this, [event, ...args] as Parameters<typeof emit>);
    if (event !== 'request') return handle();
    const [request, response] = args as [IncomingMessage, ServerResponse];
    return isFile(pathOf(request)) ? handle() : traceRequest(request, response, handle);
  };
}
