import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { log } from '@/lib/foundation/log';
import { setTelemetry, type Telemetry } from './active';
import { watchEventLoop } from './event-loop';

const logged = vi.spyOn(log, 'warn');
const recorded = vi.fn<Telemetry['record']>();

let server: Server;
let site: string;

/** Blocks the thread, as an algorithm would that doesn't end. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** What each path does before it answers. */
const HANDLERS: Record<string, () => Promise<void> | void> = {
  '/slow': () => void block(250),
  '/short': () => void block(60),
  '/waiting': () => new Promise((resolve) => waiting.push(resolve)),
  '/quick': () => undefined,
};
const waiting: (() => void)[] = [];

beforeAll(async () => {
  watchEventLoop();
  server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    Object.assign(request, {
      [Symbol.for('NextInternalRequestMeta')]: { match: { definition: { pathname: `${path}/[id]` } } },
    });
    await HANDLERS[path]?.();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  setTelemetry(undefined);
  vi.clearAllMocks();
});

const blocked = () =>
  logged.mock.calls.map(([fields]) => fields as unknown as { event: string; ms: number; routes: string[] });
const ask = async (path: string) => void (await fetch(`${site}${path}?q=private`)).text();
/** Waits until a look at the event loop has told of a delay. */
const reported = () => vi.waitFor(() => expect(logged).toHaveBeenCalled());

it('logs a delay with the pattern of the route, even if the request was over before anybody looked', async () => {
  await ask('/slow');
  await reported();
  expect(blocked()).toContainEqual({
    event: 'event-loop.blocked',
    ms: expect.any(Number),
    cpuMs: expect.any(Number),
    routes: ['GET /slow/[id]'],
  });
  expect(blocked()[0]?.ms).toBeGreaterThanOrEqual(100);
});

it('names each request that was being answered, and none that came later', async () => {
  const slow = ask('/waiting');
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  await ask('/slow');
  await reported();
  await ask('/quick');
  waiting.pop()?.();
  await slow;
  expect(blocked().map(({ routes }) => routes)).toContainEqual(['GET /slow/[id]', 'GET /waiting/[id]']);
});

it('records shorter delays, too, where telemetry is on', async () => {
  setTelemetry({ record: recorded } as unknown as Telemetry);
  await ask('/short');
  await vi.waitFor(() => expect(recorded).toHaveBeenCalled());
  expect(recorded).toHaveBeenCalledWith('daylight.eventloop.delay', expect.any(Number), {
    'http.request.method': 'GET',
    'http.route': '/short/[id]',
  });
});
