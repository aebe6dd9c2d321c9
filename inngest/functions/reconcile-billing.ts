import { cron, type Inngest } from 'inngest';
import { reconcile } from '@/lib/billing/reconcile';

/** Every hour: plans are compared with what Stripe holds, so that a lost webhook is made good. */
export function reconcileBilling(client: Inngest) {
  return client.createFunction(
    { id: 'reconcile-billing', triggers: [cron('17 * * * *')], retries: 3, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      await step.run('reconcile', () => reconcile());
    },
  );
}
