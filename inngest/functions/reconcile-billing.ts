import { cron, type Inngest } from 'inngest';
import { reconcile } from '@/lib/billing/reconcile';

/** Every hour: compares plans with what Stripe holds, to catch up on lost webhooks. */
export function reconcileBilling(client: Inngest) {
  return client.createFunction(
    { id: 'reconcile-billing', triggers: [cron('17 * * * *')], retries: 3, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      await step.run('reconcile', () => reconcile());
    },
  );
}
