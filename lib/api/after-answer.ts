import { after } from 'next/server';
import { log } from '@/lib/log';
import { deliverOutbox } from '@/lib/outbox/delivery';

/**
 * Does work that sends mail once the answer is out, where the time of that work would tell whether an address has
 * an account.
 * @param what for the log, when it fails
 */
export function afterAnswer(what: string, work: () => Promise<void>): void {
  after(async () => {
    try {
      await work();
      await deliverOutbox();
    } catch (error) {
      log.error({ err: error }, `${what}: could not be done`);
    }
  });
}
