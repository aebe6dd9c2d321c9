import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { log } from '@/lib/foundation/log';
import { isFile, pathOf, routeOf } from '@/lib/foundation/request-path';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { record } from './metrics';

/** How often to look while requests are being answered, and the shortest delay that's recorded, in milliseconds. */
const SAMPLE_MS = 20;
/** The shortest delay that's logged, in milliseconds. */
const LOGGED_MS = 100;
/** How many routes are named if several were being answered. */
const MAX_ROUTES = 3;
/** What share of a delay this process worked at least, unless the host had frozen it. */
const AWAKE_SHARE = 0.05;

const watch = perProcess('event-loop-watch', () => ({ isRunning: false }));

/** Returns the processor time that this process has used, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Records how long the event loop is blocked while requests are being answered, and logs what's longer than
 * {@link LOGGED_MS}, with the routes of these requests: nothing tells which of them it was. A timer that's late shows it,
 * and runs only meanwhile. Call it once, before the first request.
 * @param options.isFreezable whether the host freezes the process between requests, which also makes the timer late, but
 * takes no processor time
 */
export function watchEventLoop({ isFreezable = false } = {}): void {
  if (watch.isRunning) return;
  watch.isRunning = true;
  const running = new Set<IncomingMessage>();
  /** Since the last look. */
  const answered = new Set<IncomingMessage>();
  let timer: NodeJS.Timeout | undefined;
  let last = { at: 0, cpu: 0 };

  /** Returns what was asked for meanwhile, first what has been answered. */
  const operations = () => {
    const requests = [...[...answered].reverse(), ...[...running].reverse()];
    const all = requests.map((request) => `${request.method} ${routeOf(request) ?? 'none'}`);
    return [...new Set(all)].slice(0, MAX_ROUTES);
  };
  const look = () => {
    const now = { at: performance.now(), cpu: cpuMs() };
    const delay = now.at - last.at - SAMPLE_MS;
    const wasFrozen = isFreezable && now.cpu - last.cpu < delay * AWAKE_SHARE;
    if (delay >= SAMPLE_MS && !wasFrozen) {
      const named = operations();
      for (const operation of named) {
        const [method, route] = operation.split(' ');
        const attributes = { 'http.request.method': method, 'http.route': route };
        record('daylight.eventloop.delay', delay / 1000, attributes);
      }
      if (delay >= LOGGED_MS) {
        const ms = { ms: Math.round(delay), cpuMs: Math.round(now.cpu - last.cpu) };
        log.warn({ event: 'event-loop.blocked', ...ms, routes: named }, 'the event loop was blocked');
      }
    }
    last = now;
    answered.clear();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (isFile(pathOf(request))) return;
    running.add(request);
    response.once('close', () => {
      running.delete(request);
      answered.add(request);
      // From here on, the process may be frozen.
      if (isFreezable && running.size === 0) look();
    });
    if (timer) return;
    last = { at: performance.now(), cpu: cpuMs() };
    timer = setInterval(look, SAMPLE_MS).unref();
  });
}
