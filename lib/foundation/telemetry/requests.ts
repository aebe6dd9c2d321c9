import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { SpanStatusCode } from '@opentelemetry/api';
import { keepAwake } from '@/lib/foundation/keep-awake';
import { isFile, pathOf } from '@/lib/foundation/request-path';
import type { Telemetry } from './active';
import { allowedAttributes } from './attributes';
import { routeOf } from './route-of';
import type { TracedRequest, Tracing } from './tracing';

/** The requests of an upload belong to the trace of its entry. */
const UPLOAD = /^\/api\/v1\/entry\/([0-9a-f-]{36})\/upload(?:\/|$)/i;

/** Returns the header's value: milliseconds until the response began, in total and by part. */
const serverTiming = ({ timings }: TracedRequest, total: number): string =>
  [['total', total] as const, ...timings].map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(', ');

/** Calls `begin` when the response begins, before its headers are written. */
function onceBegun(response: ServerResponse, begin: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  response.writeHead = (...values: unknown[]) => {
    if (!response.headersSent) begin();
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
  const emit = Server.prototype.emit;
  Server.prototype.emit = function traced(event: string | symbol, ...args: unknown[]): boolean {
    const handle = () => emit.apply(this, [event, ...args] as Parameters<typeof emit>);
    if (event !== 'request') return handle();
    const [request, response] = args as [IncomingMessage, ServerResponse];
    const path = pathOf(request);
    if (isFile(path)) return handle();
    const { method = '' } = request;
    const started = performance.now();
    return tracing.startRequest(method, UPLOAD.exec(path)?.[1], (span, state) => {
      onceBegun(response, () => {
        if (state.isShown)
          response.setHeader('server-timing', serverTiming(state, performance.now() - started));
        if (flush) keepAwake(once(response, 'close').then(flush, flush));
      });
      response.once('close', () => {
        const route = routeOf(request) ?? 'none';
        const status = response.statusCode;
        const attributes = { 'http.route': route, 'http.response.status_code': status };
        span.updateName(`${method} ${route}`);
        span.setAttributes(allowedAttributes(attributes));
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const seconds = (performance.now() - started) / 1000;
        record('http.server.request.duration', seconds, { 'http.request.method': method, ...attributes });
      });
      return handle();
    });
  };
}
