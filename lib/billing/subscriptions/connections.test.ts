import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { waitUntil } from '@/local/up/processes';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { startCheckout } from './service';

let calls = 0;
let isAway = false;
/** Accepts calls and says nothing, until it's away. */
const stripe = createServer((request) => {
  calls += 1;
  request.resume();
  if (isAway) request.destroy();
});
let end: () => Promise<void>;

beforeAll(async () => {
  stripe.listen(0, '127.0.0.1');
  await once(stripe, 'listening');
  const { port } = stripe.address() as AddressInfo;
  end = await useFreshDatabase({ settings: { STRIPE_API_BASE: `http://127.0.0.1:${port}` } });
});
afterAll(async () => {
  stripe.closeAllConnections();
  stripe.close();
  await end();
});

it('leaves database connections to others while Stripe says nothing', async () => {
  const buyers = await Promise.all(Array.from({ length: 12 }, () => makeUser()));
  let ended = 0;
  const checkouts = buyers.map((buyer) =>
    startCheckout(buyer, 'Basic').finally(() => {
      ended += 1;
    }),
  );
  const settled = Promise.allSettled(checkouts);
  await waitUntil(async () => calls > 0, 30_000);
  await db().execute(sql`select 1`);
  expect(ended).toBe(0);
  isAway = true;
  stripe.closeAllConnections();
  for (const checkout of await settled) {
    expect(checkout).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
});
