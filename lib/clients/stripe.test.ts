import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestScope } from '@/lib/foundation/request-scope';
import { useFreshDatabase } from '@/test/app-database';
import { cancelSubscription, createCustomer } from './stripe';

let end: () => Promise<void>;
let answered = 0;
const server = createServer((request, response) => {
  request.resume();
  if (request.method === 'DELETE') drip(response);
  else answerLate(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  end = await useFreshDatabase({ settings: { STRIPE_API_BASE: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await end();
});

/** Sends a byte now and then, so that a timeout that counts silence never passes. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 500);
  response.on('close', () => clearInterval(timer));
}

function answerLate(response: ServerResponse): void {
  setTimeout(() => {
    answered += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: `cus_${answered}` }));
  }, 2000);
}

/** Runs what one request does. */
const inRequest = <T>(work: () => Promise<T>): Promise<T> =>
  requestScope.run({ requestId: 'test', client: { address: '', userAgent: '' }, tasks: new Set() }, work);

it('ends a request as unavailable when one call, or all together, take too long', async () => {
  const endless = inRequest(() => cancelSubscription('sub_1'));
  const many = inRequest(async () => {
    for (let call = 0; call < 100; call += 1) await createCustomer('u1', 'ada@example.com');
  });
  await Promise.all(
    [endless, many].map((work) => expect(work).rejects.toMatchObject({ code: 'unavailable' })),
  );
  expect(answered).toBeGreaterThan(0);
});
