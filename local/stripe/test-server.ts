import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { startStripeMirror } from '@/test/stripe-mirror';
import { type StripeServer, startStripe } from './server';

export const TEST_SECRET_KEY = 'sk_test_of_the_tests';
export const TEST_WEBHOOK_SECRET = 'whsec_of_the_tests';

/** Returns the unmodified SDK, pointed at a stand-in. */
export function createStripeSdk(local: { url: string }, key = TEST_SECRET_KEY): Stripe {
  const { hostname, port } = new URL(local.url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

type ReceivedWebhook = { body: string; signature: string };

/** Starts a webhook endpoint that keeps what it gets, and responds with `status`, or with what `take` returns. */
async function startWebhookReceiver(take?: (body: string, signature: string) => Promise<number>) {
  const received: ReceivedWebhook[] = [];
  const receiver = { received, status: 200, url: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    // The sender gave up waiting.
    if (body === null) return;
    const signature = String(request.headers['stripe-signature']);
    received.push({ body, signature });
    const status = receiver.status === 200 && take ? await take(body, signature) : receiver.status;
    response.writeHead(status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = () =>
    new Promise<void>((ended) => {
      server.close(() => ended());
      server.closeAllConnections();
    });
  return Object.assign(receiver, { close });
}

/**
 * Starts a stand-in of a test file's own, with a webhook endpoint to send to. With STRIPE_MOCK_URL, stripe-mock has to
 * accept each request too.
 */
export async function startTestStripe(take?: (body: string, signature: string) => Promise<number>) {
  const dir = mkdtempSync(join(tmpdir(), 'daylight-stripe-'));
  const receiver = await startWebhookReceiver(take);
  const open = () =>
    startStripe({
      dir,
      secretKey: TEST_SECRET_KEY,
      webhookSecret: TEST_WEBHOOK_SECRET,
      webhookUrl: () => receiver.url,
    });
  let local: StripeServer = await open();
  const mock = process.env['STRIPE_MOCK_URL'];
  const mirror = mock ? await startStripeMirror(() => local.url, mock) : undefined;
  const url = () => mirror?.url ?? local.url;
  return {
    receiver,
    url,
    sdk: () => createStripeSdk({ url: url() }),
    async restart() {
      await local.close();
      local = await open();
    },
    async end() {
      await mirror?.close();
      await local.close();
      await receiver.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Returns the portal's features as the app configures them for these prices. */
export const portalFeatures = (
  offers: { product: string; price: string }[],
): Stripe.BillingPortal.ConfigurationCreateParams.Features => ({
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: {
    enabled: true,
    default_allowed_updates: ['price'],
    proration_behavior: 'always_invoice',
    products: offers.map(({ product, price }) => ({ product, prices: [price] })),
    schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
  },
});

/** Returns the portal's flow that changes a subscription to a price, or cancels it. */
export function portalFlow(
  { id: subscription, items }: Stripe.Subscription,
  price: string | null,
  return_url: string,
): Stripe.BillingPortal.SessionCreateParams.FlowData {
  const after_completion = { type: 'redirect' as const, redirect: { return_url } };
  if (price === null) {
    return { type: 'subscription_cancel', after_completion, subscription_cancel: { subscription } };
  }
  const change = [{ id: items.data[0]?.id ?? '', price, quantity: 1 }];
  const subscription_update_confirm = { subscription, items: change };
  return { type: 'subscription_update_confirm', after_completion, subscription_update_confirm };
}

/** Moves the stand-in's clock ahead. */
export async function advanceClock(url: string, days: number): Promise<void> {
  const response = await fetch(`${url}/test/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_SECRET_KEY}`, 'stripe-version': Stripe.API_VERSION },
    body: new URLSearchParams({ seconds: String(Math.round(days * 86_400)) }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Submits a page's form as a browser does, without following the redirect. */
export const submitForm = (address: string, fields: Record<string, string>): Promise<Response> =>
  fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
