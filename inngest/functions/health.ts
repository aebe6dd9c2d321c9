import type { Inngest } from 'inngest';
import { reportJobRun } from '@/lib/health/process-reports';
import { healthPinged } from '@/lib/outbox/events';

/** Records that events start runs. Health checks send its event while no other run has proved that. */
export function recordPing(client: Inngest) {
  return client.createFunction({ id: 'health-ping', triggers: [healthPinged], retries: 0 }, async () => {
    await reportJobRun();
  });
}
