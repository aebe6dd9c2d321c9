import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { GET as health } from '@/app/api/health/route';
import { db } from '@/db/client';
import { watchEventLoop } from '@/lib/foundation/telemetry/event-loop';
import { traced } from '@/lib/foundation/telemetry/spans';
import { startTelemetry } from '@/lib/operations/health/telemetry';

// A function of a serverless host, for tests to freeze: prints its port, and "idle" with the number of requests so far
// whenever the host may freeze it, which is when they're answered and all that was asked for by `waitUntil` is done.
// `/query` asks the database, everything else is /api/health. It ends with who has started it.
process.stdin.resume().once('end', () => process.exit());

let busy = 0;
let requests = 0;
const during = (work: Promise<unknown>) => {
  busy += 1;
  const end = () => {
    busy -= 1;
    if (busy === 0) console.log(`idle ${requests}`);
  };
  work.then(end, end);
};
Object.assign(globalThis, { [Symbol.for('@next/request-context')]: { get: () => ({ waitUntil: during }) } });

const query = async () => {
  await db().execute(sql`select 1`);
  return new Response('answered');
};

watchEventLoop({ isFreezable: true });
await startTelemetry({ isServer: true });
const server = createServer((request, response) => {
  requests += 1;
  during(new Promise((resolve) => response.once('close', resolve)));
  const answer =
    request.url === '/query' ? traced('answer', query) : health(new Request('http://localhost/api/health'));
  answer.then(
    ({ status }) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}.`));
