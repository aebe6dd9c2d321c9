import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { customers } from '@/db/schema/billing';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { receiveWebhook } from '@/lib/billing/subscriptions/events';
import { startCheckout } from '@/lib/billing/subscriptions/service';
import {
  startTestStripe,
  submitForm,
  TEST_SECRET_KEY,
  TEST_WEBHOOK_SECRET,
} from '@/local/stripe/test-server';
import { makeUser } from './factories';
import { startLocalServices } from './services';

const VALID_CARD = '4242424242424242';

/** What the webhook route does, without Next around it. @returns the status */
const handleWebhook = (body: string, signature: string): Promise<number> =>
  receiveWebhook(Buffer.from(body), signature).then(
    () => 200,
    () => 500,
  );

/** A database and a till that sends its webhooks to this process; while `webhooks` is off they are lost. */
export async function startBillingFixture() {
  const services = await startLocalServices();
  const till = await startTestStripe(handleWebhook);
  Object.assign(process.env, {
    STRIPE_SECRET_KEY: TEST_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: TEST_WEBHOOK_SECRET,
    STRIPE_API_BASE: till.url(),
  });
  const shop = {
    till,
    stripe: till.sdk(),
    set webhooks(on: boolean) {
      till.receiver.status = on ? 200 : 503;
    },
    planOf: async (userId: string): Promise<PlanType | undefined> =>
      (await db().select().from(users).where(eq(users.id, userId)))[0]?.plan,
    customerOf: async (userId: string): Promise<string> => {
      const [row] = await db().select().from(customers).where(eq(customers.userId, userId));
      return row?.stripeId ?? '';
    },
    subscriptionsOf: async (userId: string): Promise<Stripe.Subscription[]> =>
      (await shop.stripe.subscriptions.list({ customer: await shop.customerOf(userId) })).data,
    /** Pays on a page of the local Stripe server, which waits until its webhook is answered. */
    pay: (address: string, card = VALID_CARD) => submitForm(address, { action: 'pay', card }),
    confirm: (address: string) => submitForm(address, { action: 'confirm' }),
    /** A user who has bought this plan. */
    async subscriber(plan: PlanType, card = VALID_CARD) {
      const user = await makeUser();
      await shop.pay(await startCheckout(user, plan), card);
      return user;
    },
    async end() {
      await till.end();
      await services.end();
    },
  };
  return shop;
}

export type BillingFixture = Awaited<ReturnType<typeof startBillingFixture>>;
