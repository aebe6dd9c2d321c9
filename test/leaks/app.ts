import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { jobHandlers } from '@/inngest/serve';
import { activeTelemetry } from '@/lib/foundation/telemetry/active';
import { startOutboxPolling } from '@/lib/messaging/outbox/polling';
import { startTelemetry } from '@/lib/operations/health/telemetry';

// A process of its own, so that a test sees everything it prints.
await startTelemetry({ isServer: true });
process.once('SIGTERM', async () => {
  await activeTelemetry()?.flush();
  process.exit();
});
const handlers = jobHandlers();
startOutboxPolling();

const server = createServer(async (incoming, outgoing) => {
  const body = await buffer(incoming);
  const method = incoming.method as 'GET' | 'POST' | 'PUT';
  const request = new Request(new URL(incoming.url ?? '/', 'http://127.0.0.1'), {
    method,
    headers: incoming.headers as Record<string, string>,
    ...(method === 'GET' ? {} : { body }),
  });
  const response: Response = await handlers[method](request as never, undefined as never);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
});
server.listen(0, '127.0.0.1', () => console.log(`ready ${(server.address() as AddressInfo).port}`));
